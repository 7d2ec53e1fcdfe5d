/* The work that the operator itself requires, whichever method computes it, and the least time of
 * that work by the machine's measured ceilings: the roof of a point. Work that only a method
 * chooses to do is not counted. Source of the model: Williams, Waterman & Patterson (2009),
 * "Roofline: an insightful visual performance model for multicore architectures", CACM 52(4),
 * doi:10.1145/1498765.1498785. Here it is in seconds, so that longer is slower, and with the peak
 * of the mixture of operations that the operator requires. */
#ifndef MAXPOOL_CEILINGS_ROOF_H
#define MAXPOOL_CEILINGS_ROOF_H

#include "harness/limits/rates.h"
#include "kernels/required_work.h"

/* The least seconds of a pass over `bytes`: a shorter measured time cannot be true. Each byte is
 * charged at the rate of the measured size below its position, as if a working set of that size
 * were still cached from before: a method may reuse what a cache holds, in whatever order it works.
 * 0 if nothing was measured. */
double least_traffic_s(const struct ceilings *c, double bytes, double workers, double write_share);

/* The least seconds of these multiply-adds and maxima, at the peaks of an instruction set: the
 * longest of the first alone, the second alone, and both together, since they share units. NaN if
 * no peaks of the set were measured with this many workers or more. */
double least_arithmetic_s(const struct ceilings *c, double multiply_adds, double maxima,
                          double workers, const char *isa, enum rate_end end);

double need_bytes(const struct need *n);

/* Operations, a multiply-add counting 2 and a maximum 1. */
double arithmetic_operations(const struct arithmetic *a);

/* All in seconds; NaN where not measured. */
struct roof {
    char level[CEILING_TEXT]; /* memory level that holds image and map; "": unknown */
    double traffic_s;         /* time of the bytes, at the bandwidth of the working set */
    double arithmetic_s;      /* time of `least`, at the peaks of the point's instruction set */
    double seconds;           /* the longer of both: the roof; NaN where either is unknown */
    double lower_s, upper_s;  /* its 95 % interval, from the intervals of the ceilings */
    double apart_s;           /* the roof of methods that compute each window by itself */
    double apart_lower_s, apart_upper_s; /* its interval */
    double least_s; /* a shorter time cannot be true: what is known of the traffic, with warm
                       caches, and of the arithmetic, both at the highest rates measured */
};

/* `isa`: as records name it. */
struct roof roof_of(const struct ceilings *c, const struct need *need, double workers,
                    const char *isa);

#endif
