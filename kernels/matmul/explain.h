/* --explain of the matrix product: one element, term by term. */
#ifndef MAXPOOL_MATMUL_EXPLAIN_H
#define MAXPOOL_MATMUL_EXPLAIN_H

#include "kernels/operators.h"

int64_t matmul_explained_elements(const struct operation *op);
struct explanation matmul_explain(const struct operation *op, const struct view *image,
                                  int64_t plane, int64_t row, int64_t col, double *values);

#endif
