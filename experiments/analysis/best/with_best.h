/* Multiple comparisons with the best: which of several points are seen to take longer than the
 * fastest of them.
 *
 * Each two points are compared by the logarithms of their ratios within rounds. Launches that are
 * interchangeable make those symmetric about the true one, whatever their distribution, so their
 * trimmed mean is tested: of n rounds g = floor(n / 7) are left out at either end, and
 *
 *     t = mean of the others / (s_w / ((1 - 2 g / n) sqrt(n))),    n - 2 g - 1 degrees of freedom,
 *
 * where s_w is the standard deviation of all n after the g at either end took the value of their
 * neighbour. One bad launch of seven or more moves neither mean nor deviation far. Source: Tukey &
 * McLaughlin (1963), Sankhya A 25, 331-352; Yuen (1974), Biometrika 61, 165-170. Points that share
 * fewer than three rounds are compared by the deviations of their resampled launches, with Welch's
 * degrees of freedom.
 *
 * A point is seen to take longer where the test of it and the best says so among those of all pairs
 * of the table, by Holm's steps, at 5 % over the number of tables of the page: whichever point
 * turns out to be the best, and whichever of them are equally fast, a page of equal methods says
 * "longer" nowhere in 95 % of all cases. The intervals are at the level of their step and agree
 * with the verdicts. Sources: Hsu (1996), Multiple Comparisons, chapter 4; Holm (1979),
 * Scandinavian Journal of Statistics 6, 65-70. */
#ifndef MAXPOOL_ANALYSIS_WITH_BEST_H
#define MAXPOOL_ANALYSIS_WITH_BEST_H

#include "experiments/analysis/best/choice.h"

/* The trimmed mean of logarithms of ratios, and how well it is known. */
struct trimmed {
    double mean, error, freedom; /* error: standard error; NaN: not known */
};

/* Sorts `logs`. Unknown below three. */
struct trimmed trimmed_mean(double *logs, size_t count);

/* Two-sided. NaN where the error is not known. */
double trimmed_p_value(const struct trimmed *t);

/* The same of two points that may have been chosen; 1 for a point and itself. Of halves that chose
 * different points it is doubled, since they chose for each other (choice.h). */
double choices_p_value(const struct samples *s, const struct choice *a, const struct choice *b,
                       enum metric metric);

/* Holm's steps: the p-values of `count` tests, adjusted for their number; what is not known stays
 * so and does not count. Returns -1 where memory lacks. */
int adjust_p_values(double *p_values, size_t count);

/* A point against the best of its table. */
struct with_best {
    struct interval interval; /* of its time over that of the best, at the level of its step; NaN */
    double p_value;           /* adjusted for all pairs of the table and all tables; NaN: unknown */
    bool differs;
};

/* The core: of `count` points pairs[i * count + j], i < j, is log(T_i / T_j). Fills out[count]; the
 * best itself does not differ. Returns -1 where memory lacks. */
int decide_with_best(struct with_best *out, const struct trimmed *pairs, size_t count, size_t best,
                     size_t tables);

/* The same of points; `tables` of the page, at least 1. */
int compare_with_best(struct with_best *out, const struct samples *s,
                      const struct point *const *points, size_t count, size_t best,
                      enum metric metric, size_t tables);

#endif
