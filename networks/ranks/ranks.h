/* The space of network_mpi: each rank computes its part of the batch through the whole network. */
#ifndef MAXPOOL_NETWORK_RANKS_H
#define MAXPOOL_NETWORK_RANKS_H

#include "harness/space/space.h"

extern const struct space network_ranks;

#endif
