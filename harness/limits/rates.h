/* Which measured rate applies to a working set, a number of workers and an instruction set.
 *
 * Bandwidth is a function of the working set alone; the reported sizes of caches are not used.
 * Bytes are charged at the rate of the largest measured size that does not exceed the working set
 * (or of the smallest size, if all are larger), and no size is slower than a larger one. The names
 * of memory levels are only labels. */
#ifndef MAXPOOL_RATES_H
#define MAXPOOL_RATES_H

#include "harness/limits/ceilings.h"

/* Which number of a rate to use: the rate itself, an end of its interval (the rate if it has none),
 * or the best that the machine can have done: the highest that was ever measured, with the interval
 * of the rate, or twice that if the rate has no interval. */
enum rate_end { RATE_VALUE, RATE_LOWER, RATE_UPPER, RATE_HIGHEST };

/* Returns the number of workers whose rows of a pass or peak are used for `workers`: the smallest
 * measured one that is at least as large. NaN if there is none. */
double rates_workers(const struct ceilings *c, const char *what, double workers);

/* Bytes per second of a working set, if `write_share` of the bytes are written and each pass uses
 * the faster kind of store. Seconds per byte are interpolated between the two nearest passes,
 * because reading and writing times add up; above the share of `copy`, or if only reading was
 * measured, the nearest pass is used. The rows are those with the smallest measured number of
 * workers that is at least `workers`; NaN if there is none. */
double rates_bandwidth(const struct ceilings *c, double working_set, double workers,
                       double write_share, enum rate_end end);

/* Returns the next larger size at which any bandwidth of these workers was measured; INFINITY if
 * none. */
double rates_next_size(const struct ceilings *c, double working_set, double workers);

/* Operations per second of a peak, with the same rule for workers; NaN if none was measured. */
double rates_peak(const struct ceilings *c, const char *what, double workers, const char *isa,
                  enum rate_end end);

/* Returns the label of a working set: the smallest level that holds it. "" if none was measured. */
const char *rates_level(const struct ceilings *c, double working_set, double workers);

/* True for the row that represents its level: among the working sets of this pass, the largest that
 * fills at most half of the level; for memory the largest of all. */
bool rates_stands_for_level(const struct ceilings *c, const struct ceiling *row);

/* True for the one row that a level's line in a chart shows: the fastest pass among those rows. */
bool rates_is_line(const struct ceilings *c, const struct ceiling *row);

#endif
