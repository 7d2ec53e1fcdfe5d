/* The libraries that run whole networks, in addition to the methods of network_row. */
#ifndef MAXPOOL_NETWORK_PEERS_H
#define MAXPOOL_NETWORK_PEERS_H

#include "harness/space/peer.h"

extern const struct peers network_peers;

#endif
