/* One distance computed step by step for a reader (kernels/operators.h, --explain). */
#ifndef MAXPOOL_DISTANCES_EXPLAIN_H
#define MAXPOOL_DISTANCES_EXPLAIN_H

#include "kernels/operators.h"

int64_t distances_explained_elements(const struct operation *op);
struct explanation distances_explain(const struct operation *op, const struct view *image,
                                     int64_t plane, int64_t row, int64_t col, double *values);

#endif
