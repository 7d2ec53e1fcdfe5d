/* Which measured rate applies to a working set, a number of workers and an instruction set.
 *
 * Bandwidth is a function of the working set alone; the reported sizes of caches are not used.
 * Bytes are charged at the rate of the largest measured size that is not larger (or of the smallest
 * size, if all are larger), and no size is slower than a larger one. The names of memory levels are
 * only labels. */
#ifndef MAXPOOL_RATES_H
#define MAXPOOL_RATES_H

#include "harness/ceilings/ceilings.h"

/* Which of a rate's numbers is meant: the rate itself, an end of its interval (the rate where it
 * has none), or the highest that was ever seen. */
enum rate_end { RATE_VALUE, RATE_LOWER, RATE_UPPER, RATE_HIGHEST };

/* Bytes per second of a working set, where `write_share` of the bytes are written and each kind of
 * store is used where it is the faster one. Seconds per byte are interpolated between the passes on
 * either side, because reading and writing times add up; beyond copy's share, and where only
 * reading was measured, the nearest pass stands for all. The workers are those of the fewest
 * measured that are as many; NaN where none are. */
double rates_bandwidth(const struct ceilings *c, double working_set, double workers,
                       double write_share, enum rate_end end);

/* The next larger size that any bandwidth of these workers was measured at; INFINITY: none. */
double rates_next_size(const struct ceilings *c, double working_set, double workers);

/* Operations per second of a peak, likewise; NaN where none were measured. */
double rates_peak(const struct ceilings *c, const char *what, double workers, const char *isa,
                  enum rate_end end);

/* The label of a working set: the smallest level that holds it. "" where none was measured. */
const char *rates_level(const struct ceilings *c, double working_set, double workers);

/* True for the row that stands for its level: of the sets that this pass was measured at, the
 * largest that fills at most half of the level, and of memory the largest of all. */
bool rates_stands_for_level(const struct ceilings *c, const struct ceiling *row);

/* True for the one row that a level's line in a chart shows: the fastest pass of those rows. */
bool rates_is_line(const struct ceilings *c, const struct ceiling *row);

#endif
