/* The times of an execution on every rank, and the maxima and means over the ranks. */
#ifndef MAXPOOL_TIMES_H
#define MAXPOOL_TIMES_H

#include "harness/space/space.h"

/* Seconds of one execution in this rank. */
struct rank_times {
    double distribute_s, compute_s, collect_s, total_s, product_s;
    double start_error_s; /* NaN: unknown */
};

/* Collective: the phases as maxima over ranks, and how far the longest compute time exceeds the
 * mean. product_s is reported where `staged`. A missed common start is passed on to start_missed().
 */
void times_reduce(const struct rank_times *mine, bool staged, struct phases *phases);

#endif
