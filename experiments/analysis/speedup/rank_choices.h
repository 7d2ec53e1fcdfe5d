/* Choices of the number of ranks from a predicted curve. They are consistent: no choice takes more
 * ranks than the lowest time does. */
#ifndef MAXPOOL_RANK_CHOICES_H
#define MAXPOOL_RANK_CHOICES_H

#include "experiments/analysis/speedup/model.h"

/* T of 1 .. count ranks; at[0] is that of one rank. */
struct rank_curve {
    struct prediction *at;
    int64_t count;
};

double rank_seconds(const struct rank_curve *c, int64_t ranks);
double rank_speedup(const struct rank_curve *c, int64_t ranks);
double rank_efficiency(const struct rank_curve *c, int64_t ranks);
double rank_core_seconds(const struct rank_curve *c, int64_t ranks);

/* Of equally good rank counts, each is the smallest. */
struct rank_choices {
    int64_t lowest_time, least_cost;
    /* The largest product of speedup and efficiency, that is of speedup and speedup per core.
     * Source: Kuck (1978), The Structure of Computers and Computations, section 2.1. */
    int64_t most_speedup_times_efficiency;
    /* The most ranks that reach the requested efficiency and are faster than any fewer. Rows are
     * indivisible, so efficiency falls in a sawtooth: fewer ranks may be less efficient. */
    int64_t last_paying;
};

struct rank_choices rank_choices_of(const struct rank_curve *c, double least_efficiency);

#endif
