/* The least seconds that moving bytes and computing can take under measured ceilings. */
#ifndef MAXPOOL_CEILINGS_LEAST_TIME_H
#define MAXPOOL_CEILINGS_LEAST_TIME_H

#include "harness/ceilings/rates.h"

/* Below these no pass over a working set can be true. Each byte is charged at the rate of the
 * measured size below it, as if a set of that size had been there from the time before: what a
 * cache holds may be met again there, in whatever order a method goes. 0 where nothing was
 * measured. */
double least_traffic_s(const struct ceilings *c, double bytes, double workers, double write_share);

/* The seconds that so many multiply-adds and maxima take, at the least, at the peaks of an
 * instruction set: the longest of the one, the other, and both where they share units. NaN where no
 * peaks of the set were measured at this many workers or more. */
double least_arithmetic_s(const struct ceilings *c, double multiply_adds, double maxima,
                          double workers, const char *isa, enum rate_end end);

#endif
