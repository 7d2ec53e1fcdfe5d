/* The least seconds that moving bytes and computing can take, by the measured ceilings. */
#ifndef MAXPOOL_CEILINGS_LEAST_TIME_H
#define MAXPOOL_CEILINGS_LEAST_TIME_H

#include "harness/ceilings/rates.h"

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

#endif
