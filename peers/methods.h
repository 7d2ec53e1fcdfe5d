/* The table of peers: what is known of them without their libraries. */
#ifndef MAXPOOL_PEER_METHODS_H
#define MAXPOOL_PEER_METHODS_H

#include "harness/space/peer.h"

/* `unavailable` tells what this build was made without. Those of the host, and of the GPU. */
enum { PEERS = 21, DEVICE_PEERS = 5 };
extern const struct peer_row peer_rows[PEERS];
extern const struct peer_row device_peer_rows[DEVICE_PEERS];

/* The method of that operator and name, of either or of a program of its own
 * (peers/script_methods.h), or NULL. */
const struct method *peer_method_find(const struct operator_row *kind, const char *name);

#endif
