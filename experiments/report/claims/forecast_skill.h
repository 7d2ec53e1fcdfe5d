/* Forecast skill: 1 - error / error of the forecast of no change (persistence), and its interval
 * over the days of the test part.
 *
 * A training repeated from its seed gives the same bits, so launches give no interval. The days
 * give one: samples of one day have the same clouds, so a whole day is left out at a time. Days may
 * have unequal numbers of samples (delete-m_j jackknife, the usual one if they are equal; Student's
 * t with days - 1 degrees of freedom). The interval describes these trained parameters; it does not
 * include other seeds of the training. Sources: Wilks (2011), Statistical Methods in the
 * Atmospheric Sciences, section 8.1.4; Busing, Meijer & van der Leeden (1999), "Delete-m jackknife
 * for unequal m", Statistics and Computing 9; Efron & Tibshirani (1993), An Introduction to the
 * Bootstrap, chapter 11. */
#ifndef MAXPOOL_FORECAST_SKILL_H
#define MAXPOOL_FORECAST_SKILL_H

#include "experiments/samples/estimate.h"
#include "harness/records/training_record.h"

#include <stddef.h>
#include <stdint.h>

enum { SKILL_DAYS = 128 };

/* Samples of each day, and sums of squared errors: of the network's forecasts, and of the forecast
 * of no change. */
struct skill_days {
    double samples[SKILL_DAYS], squares[SKILL_DAYS], expected[SKILL_DAYS];
    size_t count; /* days beyond SKILL_DAYS are counted, not stored */
};

/* The last epoch of the trainings with one batch, and its days; all 0 before the first row. */
struct skill_epoch {
    struct training_record row;
    struct skill_days days;
};

/* Takes a row of such a training, in file order: an epoch with a score, or a day. Of several
 * launches that reached the last epoch, it keeps the first with days. Only days of the scored
 * parameters count: an interrupted training has days without a score. */
void skill_epoch_take(struct skill_epoch *last, const struct training_record *r);

/* The skill on all days, for an epoch that was taken. */
double skill_epoch_value(const struct skill_epoch *last);

/* 95 %, around the skill on all days; NaN for fewer than three days, or more than are stored. */
struct interval skill_interval(double skill, const struct skill_days *days);

/* 95 %, around the difference of two skills on the same days; NaN for fewer than three days, more
 * than are stored, or different days. The intervals of `pairs` pairs hold simultaneously with 95 %
 * (Bonferroni). */
struct interval skill_difference_interval(double difference, const struct skill_days *minuend,
                                          const struct skill_days *subtrahend, size_t pairs);

#endif
