/* The staircase of the first screen: a chart of the tesina's Python loop, the same loops compiled
 * by Numba, and the same algorithm in C, from its plain form to vectors. */
#ifndef MAXPOOL_STAIRCASE_H
#define MAXPOOL_STAIRCASE_H

#include "experiments/report/report.h"

/* Nothing where the experiment `technologies` has no Python loop, or nothing beside it. */
void staircase_write(const struct part *p);

#endif
