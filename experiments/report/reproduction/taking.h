/* For the files with measure functions, which take a value from the points of an experiment. */
#ifndef MAXPOOL_REPRODUCTION_TAKING_H
#define MAXPOOL_REPRODUCTION_TAKING_H

#include "experiments/analysis/best/choice.h"
#include "experiments/report/reproduction/measures.h"

struct taking {
    const struct measure *measure;
    const struct experiment *experiment;
    const struct language *language;
    struct taken *out;
    size_t variant; /* of the measures that one function takes; what it means is said there */
};

typedef void measure_function(const struct taking *t);

measure_function take_rates, take_epoch_sum, take_wrong, take_epochs_ratio, take_steps_ratio,
    take_skill, take_training_ratio, take_memory /* variant: the peak, or else the mean */;
measure_function take_figure; /* variant: an enum figure_form */
measure_function take_exponent, take_exponential, take_transfers, take_phase_ratio; /* rules */

/* A value of an epoch of a training. */
measure_function take_of_epoch;
enum epoch_value {
    EPOCH_TEST_ACCURACY,
    EPOCH_SELECTED_ACCURACY, /* test accuracy in the epoch of least validation loss, of the first E
                              */
    EPOCH_ACCURACY,
    EPOCH_LOSS,
    EPOCH_VALIDATION_ACCURACY,
    EPOCH_VALIDATION_LOSS
};

/* Of the ratios along a column the smallest, the largest, and those at the smallest and the largest
 * value of the column. */
measure_function take_along;
enum along_which { ALONG_LEAST, ALONG_MOST, ALONG_FIRST, ALONG_LAST };

/* True if a row of the record, or of a file with columns of those names, meets all conditions. */
bool conditions_met(const struct conditions *c, const struct record *r);

/* True for a point that a measure may use: see evidence_fits(). */
bool measure_wants(const struct conditions *c, const struct point *p);

/* Of the points that meet the conditions and are neither wrong nor simulated, returns the one with
 * the largest image, and of those the fastest; NULL: none. */
struct choice measure_choice(const struct taking *t, size_t which);
const struct point *measure_point(const struct taking *t, size_t which);

/* Sets found, value, interval, and the trust of the point (NULL: none). */
void measure_found(const struct taking *t, const struct point *p, double value,
                   struct interval interval);

/* A word as a number; the words of measures are checked earlier. */
double measure_number(const struct measure *m, size_t word);

#endif
