/* The times of an execution on every rank, and the maxima and means over the ranks. */
#ifndef MAXPOOL_TIMES_H
#define MAXPOOL_TIMES_H

#include "harness/space/space.h"

/* Seconds of one execution in this rank. */
struct rank_times {
    double distribute_s, compute_s, collect_s, total_s, product_s;
    double start_error_s; /* NaN: unknown */
    double device_s;      /* of a device's kernels by its own clock; NaN: no device */
};

/* Collective: sets *phases to maxima over the ranks, and the imbalance to the longest compute time
 * minus the mean. product_s is reported if `staged`. Passes the worst start skew, if known, to
 * start_missed(). */
void times_reduce(const struct rank_times *mine, bool staged, struct phases *phases);

#endif
