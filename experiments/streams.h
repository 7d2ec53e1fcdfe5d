/* Streaming bandwidth of this machine, per cache level and for memory: the most bytes per second
 * that workers read in order, each from a buffer of its own. No method can move its image faster.
 */
#ifndef MAXPOOL_STREAMS_H
#define MAXPOOL_STREAMS_H

#include "harness/failure.h"
#include "harness/machine.h"
#include "harness/statistics.h"

#include <stddef.h>
#include <stdint.h>

/* One level: what it holds for one worker, and how much of that a buffer fills. */
struct stream_level {
    const char *name;       /* L1, L2, L3, memory */
    int64_t capacity_bytes; /* for all `workers` together; 0: no limit (memory) */
    int64_t buffer_bytes;   /* per worker */
};

enum { STREAM_LEVELS = 4 };

/* The levels as seen by that many workers: levels 1 and 2 are each worker's own, level 3 and memory
 * are shared. Returns how many are known. */
size_t stream_levels(const struct machine *m, int64_t workers,
                     struct stream_level levels[STREAM_LEVELS]);

/* Reads the level's buffers over and over, all workers at once, and summarises the seconds of
 * STREAM_SAMPLES samples; *bytes is what one sample reads in all. Status 4 where memory or threads
 * lack. */
enum { STREAM_SAMPLES = 15 };
enum status stream_measure(const struct stream_level *level, int64_t workers, double *bytes,
                           struct summary *seconds, struct failure *f);

#endif
