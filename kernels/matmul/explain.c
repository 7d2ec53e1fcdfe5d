/* Shows for each term the element of A's row, the element of B's column, their product, and the sum
 * so far. The arithmetic is this file's own, in double. */
#include "kernels/matmul/explain.h"

#include "kernels/matmul/matmul.h"

#include <stdio.h>

int64_t matmul_explained_elements(const struct operation *op)
{
    return 4 * op->image.cols;
}

struct explanation matmul_explain(const struct operation *op, const struct view *image,
                                  int64_t plane, int64_t row, int64_t col, double *values)
{
    const int64_t n = op->image.cols, cols = op->map.cols;
    const int64_t own = matmul_has_own_filters(op) ? plane : 0;
    const float *a = view_row(image, row),
                *b = op->operands[OPERAND_FILTER].values + own * n * cols + col;
    double sum = 0.0;
    struct explanation e = {.rows = n, .parts = {{"", 1}, {"x", 1}, {"=", 1}, {"sum", 1}}};
    for (int64_t q = 0; q < n; q++) {
        const double product = (double)a[q] * (double)b[q * cols];
        sum += product;
        values[q] = (double)a[q];
        values[n + q] = (double)b[q * cols];
        values[2 * n + q] = product;
        values[3 * n + q] = sum;
    }
    snprintf(e.title, sizeof e.title, "Element (%lld, %lld): row %lld of A times column %lld of B",
             (long long)row, (long long)col, (long long)row, (long long)col);
    snprintf(e.result, sizeof e.result, "sum %.9g", sum);
    return e;
}
