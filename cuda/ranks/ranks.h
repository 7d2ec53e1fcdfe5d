/* A rank a GPU: the space of a GPU program under a launcher (docs/details/gpu_ranks.md). */
#ifndef MAXPOOL_RANKS_H
#define MAXPOOL_RANKS_H

#include "harness/space/space.h"

/* Sets *out to the space of this launch: `alone`, or under a launcher that started several copies
 * the one whose ranks share the work. Status 3, after a message, if this build has no MPI. */
enum status ranks_space(const struct space *alone, const char *program, struct space *out);

/* The space of several ranks, that of operators (cuda/ranks/engine.c) or that of networks
 * (cuda/ranks/network_engine.c): a program is linked with one of them. */
struct space ranks_among(void);

#endif
