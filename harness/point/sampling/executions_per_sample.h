/* How many executions a sample of a very short one is the mean of. */
#ifndef MAXPOOL_SAMPLING_EXECUTIONS_PER_SAMPLE_H
#define MAXPOOL_SAMPLING_EXECUTIONS_PER_SAMPLE_H

#include "harness/point/point.h"

/* Sets the repeats of a method that has been warmed up, alike in all processes: 1 wherever one
 * execution takes long enough for the clock. */
enum status batch_choose(struct point *p, struct contender *c, struct failure *f);

#endif
