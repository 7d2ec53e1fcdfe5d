/* Two points compared by their times. If they were measured in the same rounds, the ratio is taken
 * within each round, so that slow changes of the machine cancel, and its median over rounds is the
 * value. The interval lies between two rounds by rank, and is extended to contain the quotient of
 * the two medians, which every page shows too: where the two values differ, the ratio is not known
 * more precisely than that. For points of different rounds, the value is the ratio of the two
 * medians, and whole launches of both are resampled. */
#ifndef MAXPOOL_ANALYSIS_PAIRED_TIMES_H
#define MAXPOOL_ANALYSIS_PAIRED_TIMES_H

#include "experiments/analysis/analysis.h"

/* Relative half-width that makes a paired ratio PRECISE; wider is ROUGH. */
static const double ratio_target = 0.05;

struct comparison_of_points {
    double value;             /* seconds of the numerator / seconds of the denominator */
    struct interval interval; /* 95 %; NaN if too little is known */
    size_t pairs;             /* rounds in which both were measured; 0: not paired */
};

/* NaN if either has no time above 0. */
struct comparison_of_points compare_points(const struct samples *s, const struct point *numerator,
                                           const struct point *denominator, enum metric metric);

/* The trust of such a ratio: the graver trust of the two points if that is SUSPECT or INVALID;
 * otherwise PRECISE if its interval is within ratio_target, else ROUGH. */
enum trust comparison_trust(const struct point *numerator, const struct point *denominator,
                            const struct comparison_of_points *c);

/* Returns the launch of q that is compared with launch i of p: the one of the same process if one
 * process measured both points; otherwise one of the same round, the first with the first and so
 * on; -1: none. */
ptrdiff_t paired_launch(const struct samples *s, const struct point *p, size_t i,
                        const struct point *q);

/* Returns the half of the rounds that launch i of p belongs to: 1 for odd rounds, 0 for even ones;
 * if rounds are not recorded, by the index of the launch. */
size_t launch_half(const struct samples *s, const struct point *p, size_t i);

/* Stores the logarithms of the ratios numerator / denominator within the rounds of one half;
 * returns their number. `logs` has as many elements as the numerator has launches. */
size_t paired_logs(const struct samples *s, const struct point *numerator,
                   const struct point *denominator, enum metric metric, size_t half, double *logs);

/* Sets *c to the median of such ratios, with its interval at that confidence, extended to contain
 * `quotient`. Sorts `logs`. Returns false and leaves *c unchanged if they are too few for an
 * interval. */
bool paired_comparison(struct comparison_of_points *c, double *logs, size_t count,
                       double confidence, double quotient);

#endif
