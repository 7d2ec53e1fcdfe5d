/* Two points compared by their times. If they were measured in the same rounds, the ratio is taken
 * within each round, so that slow changes of the machine cancel, and its median over rounds is the
 * value. The interval lies between two rounds by rank, and is extended to contain the quotient of
 * the two medians, which every page shows too: where the two values differ, the ratio is not known
 * more precisely than that. For points of different rounds, the value is the ratio of the two
 * medians, and whole launches of both are resampled. */
#ifndef MAXPOOL_ANALYSIS_PAIRED_TIMES_H
#define MAXPOOL_ANALYSIS_PAIRED_TIMES_H

#include "experiments/analysis/analysis.h"

/* What the interval of a paired ratio is wanted to be, as ROUGH and PRECISE go. */
static const double ratio_target = 0.05;

struct comparison_of_points {
    double value;             /* seconds of the numerator over those of the denominator */
    struct interval interval; /* 95 %; NaN where too little is known */
    size_t pairs;             /* rounds that both were measured in; 0: not paired */
};

/* NaN where either has no time above 0. */
struct comparison_of_points compare_points(const struct samples *s, const struct point *numerator,
                                           const struct point *denominator, enum metric metric);

/* The trust word of such a ratio: the graver one of the two points where that is SUSPECT or
 * INVALID, otherwise PRECISE where its interval is within ratio_target, and ROUGH where it is not.
 */
enum trust comparison_trust(const struct point *numerator, const struct point *denominator,
                            const struct comparison_of_points *c);

/* The launch of q that launch number i of p is compared with: of the same process where the two
 * points were measured in one, otherwise of the same round, the first with the first and so on; -1:
 * none. */
ptrdiff_t paired_launch(const struct samples *s, const struct point *p, size_t i,
                        const struct point *q);

/* The half of the rounds that launch number i of p is of: 0 or 1, odd and even rounds; where rounds
 * are not recorded, by the number of the launch. */
size_t launch_half(const struct samples *s, const struct point *p, size_t i);

/* Logarithms of the ratios within the rounds of one half, numerator over denominator; returns how
 * many. `logs` has room for the launches of the numerator. */
size_t paired_logs(const struct samples *s, const struct point *numerator,
                   const struct point *denominator, enum metric metric, size_t half, double *logs);

/* The median of such ratios with its interval at that confidence, which holds `quotient`, too.
 * Sorts them. False, and *c stays, where they are too few for an interval. */
bool paired_comparison(struct comparison_of_points *c, double *logs, size_t count,
                       double confidence, double quotient);

#endif
