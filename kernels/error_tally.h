/* The errors of results, accumulated value by value: the largest error and the root mean square,
 * relative to the bound of each value and in ulps.
 *
 * One ulp is the distance between neighbouring float32 numbers at the root mean square of the
 * correct values that were compared. It is one unit for all of them: a sum of terms that cancel is
 * nearly 0, and in its own ulps even a small error would be millions. */
#ifndef MAXPOOL_ERROR_TALLY_H
#define MAXPOOL_ERROR_TALLY_H

#include "kernels/oracle.h"

/* Sums of squares and largest values. All zero: nothing was looked at. */
struct error_tally {
    int64_t outputs;  /* that were looked at */
    int64_t rounding; /* of those, whose bound is not 0 */
    double
        bound_max; /* largest error over its bound: infinite where there is an error and no bound */
    double bound_squares;
    double error_max, error_squares;
    double value_squares; /* of what is right */
};

/* A result that is not finite has an infinite error. */
void error_tally_add(struct error_tally *t, struct expectation e, float found);
void error_tally_join(struct error_tally *to, const struct error_tally *from);

/* So many results that are bitwise right. */
struct error_tally error_tally_exact(int64_t outputs);

double error_tally_ulp(const struct error_tally *t);

/* Root mean square of the errors in ulps. NaN where nothing was looked at. */
double error_tally_ulps(const struct error_tally *t);

/* Of one tally, or of one for each layer of a network. Layers whose every bound is 0 have no part
 * in the root mean squares, in which the others have equal parts; 0 where there are no others. */
struct error_summary {
    double bound_max, bound_rms; /* NaN: nothing was looked at */
    double ulps_max, ulps_rms;   /* each layer in ulps of its own */
    int worst; /* the layer with the largest root mean square in ulps; -1: none rounds */
};

struct error_summary error_summarise(const struct error_tally *layers, int count);

#endif
