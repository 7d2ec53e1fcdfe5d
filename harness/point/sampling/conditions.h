/* The conditions of a sample besides its times: whether other processes took its cores, and the
 * cores' frequency. All of it is read outside the timed region. */
#ifndef MAXPOOL_SAMPLING_CONDITIONS_H
#define MAXPOOL_SAMPLING_CONDITIONS_H

#include "harness/point/point.h"

/* Called right before and right after the executions of a sample; each makes one system call, which
 * counts switches. */
void conditions_begin(struct point *p);
void conditions_end(struct point *p);

/* Sets involuntary_switches and cpu_mhz of the method's row, before the sample is verified or kept;
 * collective. The frequency is read after the first timed sample of a method, then at most ten
 * times a second, always after a sample; otherwise the column is empty. On a simulated machine both
 * columns are empty. */
void conditions_fill(const struct point *p, struct contender *c, bool warmup);

#endif
