/* The number of executions in a sample, if one execution is very short. */
#ifndef MAXPOOL_SAMPLING_EXECUTIONS_PER_SAMPLE_H
#define MAXPOOL_SAMPLING_EXECUTIONS_PER_SAMPLE_H

#include "harness/point/point.h"

/* Sets the repeats of a method that was warmed up, the same in all processes: 1 if one execution is
 * long enough for the clock. */
enum status repeats_choose(struct point *p, struct contender *c, struct failure *f);

#endif
