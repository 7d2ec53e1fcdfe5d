/* --nearest: of each row of a map its smallest values, instead of all. */
#ifndef MAXPOOL_NEAREST_H
#define MAXPOOL_NEAREST_H

#include "harness/point/point.h"

/* The shape of what is written: two planes of rows x nearest, columns of the map and their values.
 */
struct image_shape nearest_shape(const struct operation *op, int64_t nearest);

/* Status 2 where a row has not that many values, or columns that float32 cannot number. */
enum status nearest_check(const struct operation *op, int64_t nearest, struct failure *f);

/* Each row's smallest values in ascending order, of equal ones the first; of points with themselves
 * a row's own column is left out. `out` has the shape above. */
void nearest_find(const struct operation *op, const float *map, int64_t nearest, float *out);

#endif
