/* The GPU of this rank: which one it takes, and what the summary tells of it. */
#ifndef MAXPOOL_RANK_PLACE_H
#define MAXPOOL_RANK_PLACE_H

#include "harness/space/space.h"

/* Collective: takes the GPU that was asked for, or that of the local rank. Every rank then has the
 * common status: 3 without a GPU, 2 if there is none of that number. */
enum status place_take(const struct job *job, struct failure *f);

/* What place_take() found: the number of the GPU, and the bytes of its memory that are free for
 * this rank, an equal part among the ranks that have the same GPU. */
int64_t place_device(void);
size_t place_share_bytes(void);

/* Collective: adds which GPU each rank has to the root's description. */
void place_describe(struct resources *resources);

#endif
