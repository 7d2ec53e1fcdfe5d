/* Forecast skill: 1 - error / error of the forecast of no change (persistence), and its interval
 * over the days of the test part.
 *
 * A training repeated from its seed has the same bits, so launches give no interval. What would
 * differ is the days: samples of one day share its clouds, so a whole day is left out at a time
 * (delete-one-group jackknife, Student's t with days - 1 degrees of freedom). The interval is of
 * these trained parameters; another seed of the training is not in it. Sources: Wilks (2011),
 * Statistical Methods in the Atmospheric Sciences, section 8.1.4; Efron & Tibshirani (1993), An
 * Introduction to the Bootstrap, chapter 11. */
#ifndef MAXPOOL_FORECAST_SKILL_H
#define MAXPOOL_FORECAST_SKILL_H

#include "experiments/samples/estimate.h"

#include <stddef.h>
#include <stdint.h>

enum { SKILL_DAYS = 128 };

/* Sums of squares on each day: of the errors, and of those of the forecast of no change. */
struct skill_days {
    double squares[SKILL_DAYS], expected[SKILL_DAYS];
    size_t count;
};

/* Adds a day of so many samples, from the roots of its mean squared errors; beyond SKILL_DAYS none
 * is added. */
void skill_days_add(struct skill_days *days, int64_t samples, double error, double persistence);

/* 95 %, around the skill of all days; NaN where there are fewer than three. */
struct interval skill_interval(double skill, const struct skill_days *days);

/* 95 %, around the difference of two skills on the same days; NaN likewise, and where the days are
 * not as many. Of several pairs that are looked at together all intervals hold with 95 %
 * (Bonferroni). */
struct interval skill_difference_interval(double difference, const struct skill_days *minuend,
                                          const struct skill_days *subtrahend, size_t pairs);

#endif
