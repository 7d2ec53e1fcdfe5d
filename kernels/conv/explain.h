/* One output of a convolution, computed step by step for a reader (kernels/operators.h,
 * --explain). */
#ifndef MAXPOOL_CONV_EXPLAIN_H
#define MAXPOOL_CONV_EXPLAIN_H

#include "kernels/operators.h"

int64_t conv_explained_elements(const struct operation *op);
struct explanation conv_explain(const struct operation *op, const struct view *image, int64_t plane,
                                int64_t row, int64_t col, double *values);

/* The same for its data and weight gradients. */
int64_t conv_data_gradient_explained_elements(const struct operation *op);
struct explanation conv_data_gradient_explain(const struct operation *op, const struct view *image,
                                              int64_t n, int64_t row, int64_t at, double *values);
int64_t conv_weight_gradient_explained_elements(const struct operation *op);
struct explanation conv_weight_gradient_explain(const struct operation *op,
                                                const struct view *image, int64_t filter,
                                                int64_t row, int64_t at, double *values);

#endif
