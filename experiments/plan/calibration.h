/* The time that one core of this machine takes for one row of a map; a simulated rank is charged
 * this time for each of its rows. It is measured with the serial program, on an image with the same
 * columns that is larger than the caches, in several launches; the raw samples remain in
 * R/calibration.samples.csv.
 *
 * For a training, a row is one image of the batch. The measurement is a step of one real rank, with
 * as many shards as a simulated rank has (at most eight) and as many images per shard. */
#ifndef MAXPOOL_CALIBRATION_H
#define MAXPOOL_CALIBRATION_H

#include "experiments/samples/estimate.h"
#include "harness/records/record.h"

struct calibrations {
    struct samples *samples; /* NULL if nothing has been calibrated yet; owned */
};

/* Seconds per row, and if the point's workers share the product alone, those of the row's products,
 * else 0. For a training, `value` is per image, forward and backward; update_s is for one
 * update, and sum_s for adding one shard's gradients to their sum. Otherwise both are 0. */
struct row_time {
    double value, product_s, update_s, sum_s;
    struct interval interval; /* 95 %, by resampling launches; NaN if there are too few */
    size_t launches;          /* 0: not calibrated */
};

enum status calibrations_read(struct calibrations *c, const char *results, struct failure *f);
void calibrations_release(struct calibrations *c);

/* Returns the row time for a point, from a calibration with the same operator, method, columns,
 * window and filter. */
struct row_time calibrations_find(const struct calibrations *c, const struct record *point);

/* Measures the row time; `bin` is the folder of the programs. Status 3 if there is no serial
 * program. */
enum status calibration_measure(const struct record *point, const char *bin, const char *results,
                                struct failure *f);

#endif
