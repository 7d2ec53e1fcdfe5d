/* Streaming bandwidth of this machine against the working set: the most bytes per second that the
 * workers read and write in order, each in its own buffers. No method can move its image and map
 * faster. */
#ifndef MAXPOOL_STREAMS_H
#define MAXPOOL_STREAMS_H

#include "experiments/limits/loops.h"
#include "experiments/limits/visits.h"
#include "harness/base/failure.h"
#include "harness/machine/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One way to pass over the buffers. */
struct stream_pass {
    const char *what;   /* read, copy (one byte written for each one read) or pool (one for four) */
    const char *stores; /* ordinary or streaming; "" if nothing is written */
    double write_share; /* bytes written / all bytes moved */
    stream_loop *run[ISA_COUNT];
};

extern const struct stream_pass stream_passes[];
extern const size_t stream_pass_count;

/* One size, and the seconds of one pass over it. */
struct stream_size {
    int64_t buffer_bytes; /* per worker, approximately */
    double bytes;         /* read and written by all workers in one pass */
    struct visits visits;
};

/* Why sizes stopped doubling. */
enum stream_end {
    STREAM_FLAT,      /* the rate has not changed for three doublings */
    STREAM_NO_MEMORY, /* the next size does not fit into half of the free memory */
    STREAM_NO_TIME    /* the time limit is reached */
};

enum { STREAM_SIZES = 40 }; /* the next one would have 16 PiB: no memory is that large */

struct stream_curve {
    size_t count;
    struct stream_size sizes[STREAM_SIZES]; /* in ascending order */
    enum stream_end end;
};

/* The workers' buffers, kept from visit to visit, since the system takes longer to clear new pages
 * than a visit takes to pass over them. {0}: none yet. */
struct stream_buffers {
    struct stream_buffer *of; /* by worker */
    int64_t count;
};
void stream_buffers_release(struct stream_buffers *b);

/* Visits one size once: all workers pass over buffers of that size at the same time, in the widest
 * instruction set that this machine supports; at most VISITS_MOST visits in all. The buffers grow
 * as needed. Status 4 if memory or threads are lacking. */
enum status stream_measure(size_t pass, int64_t workers, struct stream_size *size,
                           struct stream_buffers *buffers, struct failure *f);

/* True if the rates of the first visits to the last four sizes are within 15 % of each other. */
bool stream_is_flat(const struct stream_curve *c);

/* Bytes of all workers together that a curve reaches before its time may end it: 256 MiB, and four
 * times the caches that these workers have, or its last sizes would be those of a cache. */
double stream_least_set(const struct machine *m, int64_t workers);

/* When a curve ends that is not flat. */
struct stream_until {
    double least_set; /* bytes of all workers; from there on ... */
    double seconds;   /* ... after so many */
    double end;       /* clock_now(): there it stops whatever the size, but visits the first */
};

/* Visits each size once, with buffers that double from 16 KiB per worker. Stops when the rate is
 * flat and the buffers of all workers have reached least_set, when memory is short, or at the end
 * of the time. Lack of memory fails (status 4) only for the first size. */
enum status stream_measure_curve(size_t pass, int64_t workers, const struct stream_until *until,
                                 struct stream_curve *out, struct stream_buffers *buffers,
                                 struct failure *f);

/* The smallest level of memory that holds `bytes` bytes of `workers` workers, as the machine
 * reports it: each worker has its own levels 1 and 2; they spread over as many caches of level 3 as
 * there are. Only a label: virtual machines report caches that they do not have. */
struct stream_level {
    const char *name;      /* L1, L2, L3, memory */
    double capacity_bytes; /* for all workers together; NaN: no limit (memory) */
};
struct stream_level stream_level_of(const struct machine *m, int64_t workers, double bytes);

#endif
