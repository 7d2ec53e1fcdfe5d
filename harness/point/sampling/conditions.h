/* The conditions of a sample besides its times: whether other processes took its cores, and the
 * frequency of these. All of it is read outside the timed region. */
#ifndef MAXPOOL_SAMPLING_CONDITIONS_H
#define MAXPOOL_SAMPLING_CONDITIONS_H

#include "harness/point/point.h"

/* Right before the executions of a sample, and right behind them: two system calls, which count. */
void conditions_begin(struct point *p);
void conditions_end(struct point *p);

/* Sets involuntary_switches and cpu_mhz of the method's row, before the sample is verified or kept;
 * collective. The frequency is read after the first timed sample of a method, and then after one at
 * most ten times a second; in between the column is empty. So are both on a simulated machine. */
void conditions_fill(const struct point *p, struct contender *c, bool warmup);

#endif
