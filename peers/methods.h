/* The table of peers: what is known of them without their libraries. */
#ifndef MAXPOOL_PEER_METHODS_H
#define MAXPOOL_PEER_METHODS_H

#include "harness/space/peer.h"

/* `unavailable` of host_peers and device_peers (peers/peers.h) says what this build was made
 * without. */

/* The method of that operator and name, of either or of a program of its own
 * (peers/script_methods.h), or NULL. */
const struct method *peer_method_find(const struct operator_row *kind, const char *name);

#endif
