/* The space of network_mpi: each rank computes its part of the batch through the whole network. */
#ifndef MAXPOOL_NETWORK_RANKS_H
#define MAXPOOL_NETWORK_RANKS_H

#include "networks/ranks/engine.h"

extern const struct space network_ranks;

/* The same space, whose ranks compute by this engine; one engine in a process. */
struct space network_ranks_by(const struct network_engine *engine);

#endif
