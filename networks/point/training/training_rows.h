/* The file of a training: --record-training. */
#ifndef MAXPOOL_NETWORK_TRAINING_ROWS_H
#define MAXPOOL_NETWORK_TRAINING_ROWS_H

#include "harness/point/point.h"
#include "networks/point/training/training.h"

/* A learning rate that was tried. */
struct rate_trial {
    double rate, loss, smoothed;
};

/* The functions do nothing if no file is requested, and in all processes except the root. Status 5
 * if the file cannot be written. */

/* Sets the launch of all rows. */
void training_rows_begin(struct training *t, const struct point *p);

/* Appends the epoch that ended with the last step; `test` is the score at its end, or NULL. */
enum status training_rows_epoch(struct training *t, const struct score *test, struct failure *f);

/* Appends the confusion matrix of the final score. */
enum status training_rows_confusion(struct training *t, struct failure *f);

/* Appends the errors on each day of the test part, if it has days, at the end of the training. */
enum status training_rows_days(struct training *t, struct failure *f);

/* Appends the training's forecasts of the data set's series, in its order. */
enum status training_rows_forecast(struct training *t, struct failure *f);

/* Appends trials in their order; `suggested` is the index of one, 0: none is. */
enum status training_rows_rates(struct training *t, const struct rate_trial *trials, int count,
                                int suggested, struct failure *f);

#endif
