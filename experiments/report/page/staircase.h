/* The staircase of the first screen: a chart of the tesina's Python loop, the same loops compiled
 * by Numba, and the same algorithm in C, from its plain form to vectors. */
#ifndef MAXPOOL_STAIRCASE_H
#define MAXPOOL_STAIRCASE_H

#include "experiments/report/report.h"

/* Writes nothing if no experiment has the Python loop and another step. */
void staircase_write(const struct part *p);

#endif
