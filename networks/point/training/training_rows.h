/* The file of a training: --record-training. */
#ifndef MAXPOOL_NETWORK_TRAINING_ROWS_H
#define MAXPOOL_NETWORK_TRAINING_ROWS_H

#include "harness/point/point.h"
#include "networks/point/training/training.h"

/* A learning rate that was tried. */
struct rate_trial {
    double rate, loss, smoothed;
};

/* Each does nothing where no file is asked for, and in all processes but the root. Status 5 where
 * it cannot be written. */

/* Names the launch that all rows are of. */
void training_rows_begin(struct training *t, const struct point *p);

/* The epoch that ended with the last step; `test` is the score at its end, NULL: there is none. */
enum status training_rows_epoch(struct training *t, const struct score *test, struct failure *f);

/* The matrix of the score that the training came to. */
enum status training_rows_confusion(struct training *t, struct failure *f);

/* The errors on each day of the test part, where it has days: of the training's end. */
enum status training_rows_days(struct training *t, struct failure *f);

/* A series of the data set, in its order, as the training forecasts it. */
enum status training_rows_forecast(struct training *t, struct failure *f);

/* Trials in their order; `suggested` is the index of one, 0: none is. */
enum status training_rows_rates(struct training *t, const struct rate_trial *trials, int count,
                                int suggested, struct failure *f);

#endif
