/* The conditions of a sample besides its times: whether other processes took its cores, what other
 * programs keep busy, the cores' frequency, and the instructions that were executed. All of it is
 * read outside the timed region. */
#ifndef MAXPOOL_SAMPLING_CONDITIONS_H
#define MAXPOOL_SAMPLING_CONDITIONS_H

#include "harness/point/point.h"

/* Begins to watch the load by others, and to count instructions where the system lets it, of this
 * thread and of those that it starts later; collective. */
void conditions_watch(struct point *p);

/* Called right before and right after the executions of a sample of the method; each makes one
 * system call, which counts switches, and two more where instructions are counted. */
void conditions_begin(struct point *p, const struct contender *c);
void conditions_end(struct point *p, const struct contender *c);

/* Sets involuntary_switches, cpu_mhz, the counters and the load by others in the method's row,
 * before the sample is verified or kept; collective. `repeats` are the executions of the sample.
 * The frequency is read after the first timed sample of a method, then at most ten times a second,
 * always after a sample; otherwise the column is empty. The load is read at most ten times a second
 * too, for all methods together: others_cores is empty between readings, while the columns of the
 * launch keep the last reading. Instructions are counted for the first timed sample of a method,
 * then at most ten times a second; if they cannot be, its first timed sample says why. Of several
 * computers each column has the busiest one. On a simulated machine all of them are empty. */
void conditions_fill(struct point *p, struct contender *c, int64_t repeats, bool warmup);

#endif
