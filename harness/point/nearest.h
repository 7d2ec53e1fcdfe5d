/* --nearest: the smallest values of each row of a map, instead of all values. */
#ifndef MAXPOOL_NEAREST_H
#define MAXPOOL_NEAREST_H

#include "harness/point/point.h"

/* The shape of the output: two planes of rows x nearest, the map's column numbers and the
 * values. */
struct image_shape nearest_shape(const struct operation *op, int64_t nearest);

/* Status 2 if a row has fewer values, or more columns than float32 can number. */
enum status nearest_check(const struct operation *op, int64_t nearest, struct failure *f);

/* Writes each row's smallest values in ascending order, the first among equal ones. If points are
 * compared with themselves, a row's own column is left out. `out` has the shape above. */
void nearest_find(const struct operation *op, const float *map, int64_t nearest, float *out);

#endif
