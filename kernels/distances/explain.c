/* Shows for each dimension the two coordinates, their difference and its square; then the sum of
 * the squares, and its root. The arithmetic is this file's own, in double. */
#include "kernels/distances/explain.h"

#include <math.h>
#include <stdio.h>

int64_t distances_explained_elements(const struct operation *op)
{
    return 4 * op->image.cols;
}

struct explanation distances_explain(const struct operation *op, const struct view *image,
                                     int64_t plane, int64_t row, int64_t col, double *values)
{
    const int64_t d = op->image.cols;
    const float *x = view_row(image, row), *y = op->operands[OPERAND_AGAINST].values + col * d;
    double sum = 0.0;
    struct explanation e = {.rows = d, .parts = {{"", 1}, {"-", 1}, {"=", 1}, {"squared", 1}}};
    (void)plane; /* there is one */
    for (int64_t k = 0; k < d; k++) {
        const double difference = (double)x[k] - (double)y[k];
        values[k] = (double)x[k];
        values[d + k] = (double)y[k];
        values[2 * d + k] = difference;
        values[3 * d + k] = difference * difference;
        sum += difference * difference;
    }
    snprintf(e.title, sizeof e.title, "Distance (%lld, %lld): point %lld of X and point %lld of Y",
             (long long)row, (long long)col, (long long)row, (long long)col);
    snprintf(e.result, sizeof e.result, "sum %.9g, root %.9g", sum, sqrt(sum));
    return e;
}
