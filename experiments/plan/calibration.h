/* How long one core of this machine takes for one row of a map: the time that a simulated rank is
 * charged for each of its rows. It is measured with the serial program, on an image of the same
 * columns that exceeds the caches, in several launches; the raw samples stay in
 * R/calibration.samples.csv.
 *
 * For a training, a row is one image of the batch. What is measured is a step of one real rank with
 * as many shards as a simulated rank has, at most eight, each with as many images. */
#ifndef MAXPOOL_CALIBRATION_H
#define MAXPOOL_CALIBRATION_H

#include "experiments/samples/estimate.h"
#include "harness/records/record.h"

struct calibrations {
    struct samples *samples; /* NULL where nothing was calibrated yet; owned */
};

/* Seconds per row; of a training per image, forward to backward, and beside it those of the update
 * and of adding one shard's gradients to their sum (0 elsewhere). */
struct row_time {
    double value, update_s, sum_s;
    struct interval interval; /* 95 %, launches resampled; NaN where there are too few */
    size_t launches;          /* 0: not calibrated */
};

enum status calibrations_read(struct calibrations *c, const char *results, struct failure *f);
void calibrations_release(struct calibrations *c);

/* Of a point: of the same operator, method, columns, window and filter. */
struct row_time calibrations_find(const struct calibrations *c, const struct record *point);

/* Measures it, `bin` being the folder of the programs. Status 3 where there is no serial program.
 */
enum status calibration_measure(const struct record *point, const char *bin, const char *results,
                                struct failure *f);

/* Rows of the map that the image of a record has, all planes; 0 where its sizes are unknown. */
double map_rows(const struct record *r);

#endif
