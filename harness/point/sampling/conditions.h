/* The conditions of a sample besides its times: whether other processes took its cores, what other
 * programs keep busy, and the cores' frequency. All of it is read outside the timed region. */
#ifndef MAXPOOL_SAMPLING_CONDITIONS_H
#define MAXPOOL_SAMPLING_CONDITIONS_H

#include "harness/point/point.h"

/* Begins to watch the load by others; collective. */
void conditions_watch(struct point *p);

/* Called right before and right after the executions of a sample; each makes one system call, which
 * counts switches. */
void conditions_begin(struct point *p);
void conditions_end(struct point *p);

/* Sets involuntary_switches, cpu_mhz, and the load by others in the method's row, before the sample
 * is verified or kept; collective. The frequency is read after the first timed sample of a method,
 * then at most ten times a second, always after a sample; otherwise the column is empty. The load
 * is read at most ten times a second too, for all methods together: others_cores is empty between
 * readings, while the columns of the launch keep the last reading. Of several computers each column
 * has the busiest one. On a simulated machine all of them are empty. */
void conditions_fill(struct point *p, struct contender *c, bool warmup);

#endif
