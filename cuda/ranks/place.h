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

/* Collective: makes of what each rank read of its GPU (clock_mhz, power_w, throttle) what the
 * record has of all of them, the same in every rank: the lowest clock; the power of all GPUs, a GPU
 * that ranks share counted once, or unknown if that of one GPU is; the reasons that throttle any of
 * them, and in throttle_rank the first rank whose GPU they do. Ranks that read nothing do not
 * count. */
void place_merge_readings(struct phases *phases);

/* Collective: adds which GPU each rank has to the root's description. */
void place_describe(struct resources *resources);

#endif
