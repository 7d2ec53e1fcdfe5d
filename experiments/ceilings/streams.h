/* Streaming bandwidth of this machine, per cache level and for memory: the most bytes per second
 * that workers read and write in order, each in buffers of its own. No method can move its image
 * and map faster. */
#ifndef MAXPOOL_STREAMS_H
#define MAXPOOL_STREAMS_H

#include "experiments/ceilings/loops.h"
#include "harness/base/failure.h"
#include "harness/base/statistics.h"
#include "harness/machine/machine.h"

#include <stddef.h>
#include <stdint.h>

/* One level: what it holds, and how much of that the buffers of one worker fill. */
struct stream_level {
    const char *name;       /* L1, L2, L3, memory */
    int64_t capacity_bytes; /* for all `workers` together; 0: no limit (memory) */
    int64_t buffer_bytes;   /* per worker, image and map together */
};

enum { STREAM_LEVELS = 4 };

/* The levels as seen by that many workers: levels 1 and 2 are each worker's own, level 3 and memory
 * are shared. Returns how many are known. */
size_t stream_levels(const struct machine *m, int64_t workers,
                     struct stream_level levels[STREAM_LEVELS]);

/* One way to pass over the buffers. */
struct stream_pass {
    const char *what;   /* read, copy (one byte written for each one read) or pool (one for four) */
    const char *stores; /* ordinary or streaming; "" where nothing is written */
    double write_share; /* of all bytes moved, those written */
    stream_loop *run[ISA_COUNT];
};

extern const struct stream_pass stream_passes[];
extern const size_t stream_pass_count;

/* Measures pass number `pass` over the level's buffers, all workers at once, in the widest
 * instruction set that runs here. `seconds` are those of one pass; *bytes is what all workers read
 * and write in it. Status 4 where memory or threads lack. */
enum status stream_measure(const struct stream_level *level, size_t pass, int64_t workers,
                           double *bytes, struct summary *seconds, struct failure *f);

#endif
