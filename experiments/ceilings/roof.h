/* What the operator itself must do, whichever method does it, and how long the machine's measured
 * ceilings make that take at the least: the roof of a point. Never what a method chooses to waste.
 * Source of the model: Williams, Waterman & Patterson (2009), "Roofline: an insightful visual
 * performance model for multicore architectures", CACM 52(4), doi:10.1145/1498765.1498785; here in
 * seconds, so that longer is slower, and with the peak of the mixture that the operator needs. */
#ifndef MAXPOOL_ROOF_H
#define MAXPOOL_ROOF_H

#include "experiments/ceilings/least.h"
#include "harness/records/record.h"

/* Work in multiply-adds and in maxima of two values. */
struct arithmetic {
    double multiply_adds, maxima;
};

/* NaN where the record does not tell.
 *
 * Traffic: the cells that windows touch are read once and the map is written once; with a stride
 * beyond k the cells between windows are not touched. In matmul A and B are read, C is written.
 *
 * Arithmetic of a product method, `least`: each distinct row product once. The k products of one
 * row of an image with the columns of B, at one column position, take k^2 multiply-adds and k - 1
 * maxima, and windows that overlap share them: k^2 * (rows touched) * (output columns). The k row
 * maxima of windows that share no rows take k - 1 maxima more. Where windows do not overlap that is
 * k^3 multiply-adds and k^2 - 1 maxima per window, which is what `apart` counts for every window,
 * overlapping or not: what a method must do that computes each window by itself.
 *
 * Of a no-product method, `least`: k^2 - 1 maxima for each of the windows that share no cells, the
 * least that the maximum of k^2 values takes; `apart`: for each window.
 *
 * matmul: rows * cols * cols multiply-adds. */
struct need {
    double bytes_read, bytes_written;
    struct arithmetic least, apart;
};

struct need need_of(const struct record *r, bool product);

double need_bytes(const struct need *n);

/* Operations of `least`, a multiply-add counting 2 and a maximum 1. */
double arithmetic_operations(const struct arithmetic *a);

/* All in seconds; NaN where not measured. */
struct roof {
    char level[CEILING_TEXT]; /* of memory that holds image and map; "" : unknown */
    double traffic_s;         /* of the bytes, at the bandwidth of the working set */
    double arithmetic_s;      /* of `least`, at the peaks of the point's instruction set */
    double seconds;           /* the longer of both: the roof; NaN where either is unknown */
    double apart_s;           /* the roof of methods that compute each window by itself */
    double least_s; /* below this, beyond all intervals, no time can be true: what is known of
                       the traffic, with caches still warm, and of the arithmetic */
};

/* `isa` as records name it. */
struct roof roof_of(const struct ceilings *c, const struct need *need, double workers,
                    const char *isa);

#endif
