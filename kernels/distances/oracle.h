/* The frozen oracle of distances: differences in double precision, sharing no code with the methods
 * (kernels/oracle.h has the rules). */
#ifndef MAXPOOL_DISTANCES_ORACLE_H
#define MAXPOOL_DISTANCES_ORACLE_H

#include "kernels/oracle.h"

/* Distances of the point x from the points [col, col + cols) of y: the root of the sum of squares
 * in double, rounded to float32 once. A method may differ from it by `relative` of it, and by what
 * squares may lose to underflow; where points coincide, not at all. */
void oracle_distances(const float *x, const struct view *y, int64_t dimensions, double relative,
                      int64_t col, int64_t cols, struct expectation *out);

#endif
