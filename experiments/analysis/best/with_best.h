/* Multiple comparisons with the best: which of several points take significantly longer than the
 * fastest of them.
 *
 * Every two points are compared by the logarithms of their ratios within rounds. If launches are
 * interchangeable, the logarithms are symmetric about the true one, whatever their distribution, so
 * their trimmed mean is tested: of n rounds, g = floor(n / 7) are trimmed at either end, and
 *
 *     t = mean of the rest / (s_w / ((1 - 2 g / n) sqrt(n))),    n - 2 g - 1 degrees of freedom,
 *
 * where s_w is the standard deviation of all n after the g at either end took the value of their
 * neighbour. One bad launch of seven or more moves neither mean nor deviation far. Source: Tukey &
 * McLaughlin (1963), Sankhya A 25, 331-352; Yuen (1974), Biometrika 61, 165-170. Points that share
 * fewer than three rounds are compared by the deviations of their resampled launches, with Welch's
 * degrees of freedom.
 *
 * A point takes longer if its test against the best rejects equality, among the tests of all pairs
 * of the table, by Holm's procedure, at 5 % divided by the number of tables of the page. So
 * whichever point turns out to be the best, and whichever are equally fast, in 95 % of all cases a
 * page of equal methods says "longer" nowhere. The intervals are at the level of their step and
 * agree with the verdicts. Sources: Hsu (1996), Multiple Comparisons, chapter 4; Holm (1979),
 * Scandinavian Journal of Statistics 6, 65-70. */
#ifndef MAXPOOL_ANALYSIS_WITH_BEST_H
#define MAXPOOL_ANALYSIS_WITH_BEST_H

#include "experiments/analysis/best/choice.h"

/* The p-value for two points that may have been chosen; 1 for a point and itself. It is doubled if
 * the halves chose different points, because they chose for each other (choice.h). */
double choices_p_value(const struct samples *s, const struct choice *a, const struct choice *b,
                       enum metric metric);

/* Holm's procedure: adjusts the p-values of `count` tests for their number; unknown ones stay so
 * and do not count. Returns -1 if memory runs out. */
int adjust_p_values(double *p_values, size_t count);

/* A point compared with the best of its table. */
struct with_best {
    struct interval interval; /* of its time / the best's, at the level of its step; NaN: unknown */
    double p_value;           /* adjusted for all pairs of the table and all tables; NaN: unknown */
    bool differs;
};

/* Compares points; the best itself does not differ. `tables`: number of the page, at least 1.
 * Returns -1 if memory runs out. */
int compare_with_best(struct with_best *out, const struct samples *s,
                      const struct point *const *points, size_t count, size_t best,
                      enum metric metric, size_t tables);

#endif
