/* The errors of results, accumulated value by value: the largest error and the root mean square,
 * relative to the bound of each value and in ulps.
 *
 * One ulp is the distance between neighbouring float32 numbers at the root mean square of the
 * correct values that were compared. It is one unit for all of them: where terms cancel, a sum is
 * nearly 0, and in its own ulps even a small error would be millions. */
#ifndef MAXPOOL_ERROR_TALLY_H
#define MAXPOOL_ERROR_TALLY_H

#include "kernels/oracle.h"

/* Sums of squares and largest values. All zero: nothing was compared. */
struct error_tally {
    int64_t outputs;  /* that were compared */
    int64_t rounding; /* outputs whose bound is not 0 */
    double
        bound_max; /* largest error divided by its bound; infinite for an error with a bound of 0 */
    double bound_squares;
    double error_max, error_squares;
    double value_squares; /* of the correct values */
};

/* A result that is not finite has an infinite error. */
void error_tally_add(struct error_tally *t, struct expectation e, float found);
void error_tally_join(struct error_tally *to, const struct error_tally *from);

/* The tally of `outputs` results that are bitwise correct. */
struct error_tally error_tally_exact(int64_t outputs);

double error_tally_ulp(const struct error_tally *t);

/* Root mean square of the errors in ulps. NaN if nothing was compared. */
double error_tally_ulps(const struct error_tally *t);

/* The errors of one tally, or of several, one for each layer of a network. Layers whose bounds are
 * all 0 do not enter the root mean squares; the remaining layers have equal weight there. Without
 * any, those are 0. */
struct error_summary {
    double bound_max, bound_rms; /* NaN: nothing was compared */
    double ulps_max, ulps_rms;   /* in each layer's own ulps */
    int worst; /* the layer with the largest root mean square in ulps; -1: none rounds */
};

struct error_summary error_summarise(const struct error_tally *layers, int count);

#endif
