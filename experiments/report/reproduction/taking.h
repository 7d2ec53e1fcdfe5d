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
};

typedef void measure_function(const struct taking *t);

measure_function take_rates, take_test_accuracy, take_accuracy, take_loss, take_validation_accuracy,
    take_validation_loss, take_training_seconds, take_epoch_seconds, take_wrong, take_epochs_ratio,
    take_steps_ratio, take_skill, take_memory, take_memory_peak;
measure_function take_selected_accuracy, take_training_ratio;
measure_function take_table, take_curve, take_kernels, take_against; /* figures */
measure_function take_exponent, take_exponential, take_least_ratio, take_most_ratio,
    take_first_ratio, take_last_ratio, take_transfers, take_phase_ratio; /* rules */

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
