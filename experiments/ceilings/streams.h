/* Streaming bandwidth of this machine against working set: the most bytes per second that workers
 * read and write in order, each in buffers of its own. No method can move its image and map faster.
 */
#ifndef MAXPOOL_STREAMS_H
#define MAXPOOL_STREAMS_H

#include "experiments/ceilings/loops.h"
#include "experiments/ceilings/visits.h"
#include "harness/base/failure.h"
#include "harness/machine/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One way to pass over the buffers. */
struct stream_pass {
    const char *what;   /* read, copy (one byte written for each one read) or pool (one for four) */
    const char *stores; /* ordinary or streaming; "" where nothing is written */
    double write_share; /* of all bytes moved, those written */
    stream_loop *run[ISA_COUNT];
};

extern const struct stream_pass stream_passes[];
extern const size_t stream_pass_count;

/* One size, and the seconds of one pass over it. */
struct stream_size {
    int64_t buffer_bytes; /* of a worker, about */
    double bytes;         /* that all workers read and write in a pass */
    struct visits visits;
};

/* Why sizes stopped doubling. */
enum stream_end {
    STREAM_FLAT,      /* the rate has not changed for three doublings */
    STREAM_NO_MEMORY, /* the next size does not fit into half of the free memory */
    STREAM_NO_TIME    /* the seconds are over */
};

enum { STREAM_SIZES = 40 };

struct stream_curve {
    size_t count;
    struct stream_size sizes[STREAM_SIZES]; /* in ascending order */
    enum stream_end end;
};

/* Visits a pass over buffers of a size, all workers at once, in the widest instruction set that
 * runs here, at most VISITS_MOST times in all. Status 4 where memory or threads lack. */
enum status stream_measure(size_t pass, int64_t workers, struct stream_size *size,
                           struct failure *f);

/* True where the rates of the last four sizes' first visits lie within 15 % of each other. */
bool stream_is_flat(const struct stream_curve *c);

/* Visits a pass once over buffers that double from 16 KiB a worker until the rate is flat and 256
 * MiB over all workers are reached, or memory is short, or from 256 MiB on the seconds are over.
 * Short memory is no failure once there is a size; status 4 where not even the first fits. */
enum status stream_measure_curve(size_t pass, int64_t workers, double seconds,
                                 struct stream_curve *out, struct failure *f);

/* The smallest level of memory that holds so many bytes of that many workers, as the machine
 * reports: levels 1 and 2 are each worker's own, level 3 and memory are shared. A label, no more:
 * virtual machines report caches that they do not have. */
struct stream_level {
    const char *name;      /* L1, L2, L3, memory */
    double capacity_bytes; /* for all workers together; NaN: no limit (memory) */
};
struct stream_level stream_level_of(const struct machine *m, int64_t workers, double bytes);

#endif
