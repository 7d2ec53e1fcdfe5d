/* The table of peers: what is known about them without their libraries. */
#ifndef MAXPOOL_PEER_METHODS_H
#define MAXPOOL_PEER_METHODS_H

#include "harness/space/peer.h"

/* In the rows of host_peers and device_peers (peers/peers.h), `unavailable` says what this build
 * lacks. */

/* Returns the method of that operator and name, or NULL; a peer of the host, of the device, or a
 * separate program (peers/script_methods.h). */
const struct method *peer_method_find(const struct operator_row *kind, const char *name);

#endif
