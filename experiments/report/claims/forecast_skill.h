/* Forecast skill: 1 - error / error of the forecast of no change (persistence), and its interval
 * over the days of the test part.
 *
 * A training repeated from its seed has the same bits, so launches give no interval. What would
 * differ is the days: samples of one day share its clouds, so a whole day is left out at a time.
 * Days may have unequal numbers of samples (delete-m_j jackknife, which is the usual one where they
 * are equal; Student's t with days - 1 degrees of freedom). The interval is of these trained
 * parameters; another seed of the training is not in it. Sources: Wilks (2011), Statistical Methods
 * in the Atmospheric Sciences, section 8.1.4; Busing, Meijer & van der Leeden (1999), "Delete-m
 * jackknife for unequal m", Statistics and Computing 9; Efron & Tibshirani (1993), An Introduction
 * to the Bootstrap, chapter 11. */
#ifndef MAXPOOL_FORECAST_SKILL_H
#define MAXPOOL_FORECAST_SKILL_H

#include "experiments/samples/estimate.h"
#include "harness/records/training_record.h"

#include <stddef.h>
#include <stdint.h>

enum { SKILL_DAYS = 128 };

/* Samples of each day, and sums of squares: of their errors, and of those of the forecast of no
 * change. */
struct skill_days {
    double samples[SKILL_DAYS], squares[SKILL_DAYS], expected[SKILL_DAYS];
    size_t count; /* beyond SKILL_DAYS days are counted, not kept */
};

/* The last epoch of the trainings with one batch, with its days; all 0 before the first row. */
struct skill_epoch {
    struct training_record row;
    struct skill_days days;
};

/* Takes a row of such a training, in the order of the file: an epoch with a score, or a day. Of
 * several launches that came as far it keeps the first with days. Days are those of the parameters
 * that were scored, since an interrupted training has days without a score. */
void skill_epoch_take(struct skill_epoch *last, const struct training_record *r);

/* The skill of all days; of an epoch that was taken. */
double skill_epoch_value(const struct skill_epoch *last);

/* 95 %, around the skill of all days; NaN where there are fewer than three, or more than are
 * kept. */
struct interval skill_interval(double skill, const struct skill_days *days);

/* 95 %, around the difference of two skills on the same days; NaN likewise, and where the days are
 * others. Of several pairs that are looked at together all intervals hold with 95 %
 * (Bonferroni). */
struct interval skill_difference_interval(double difference, const struct skill_days *minuend,
                                          const struct skill_days *subtrahend, size_t pairs);

#endif
