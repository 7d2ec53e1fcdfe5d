/* A gradient, computed step by step for a reader. Data gradient: filter by filter, the gradients of
 * all outputs whose windows contain the element, times the weight that multiplies it there. Weight
 * gradient: image by image, the gradients of all outputs, times the element that the weight
 * multiplies. Computes in double precision and shares no arithmetic with the methods. */
#include "kernels/conv/explain.h"
#include "kernels/conv/methods.h"

#include <stdio.h>

/* Stores an output gradient, a factor and their product, each in its list; returns the product. */
static double put(double *values, int64_t all, int64_t at, double d_output, double factor)
{
    values[at] = d_output;
    values[all + at] = factor;
    values[2 * all + at] = d_output * factor + 0.0; /* no -0 */
    return d_output * factor;
}

/* The gradient of the output whose window begins at (top, left) of the padded image; 0 if there is
 * none. */
static double d_output_at(const struct operation *op, const struct conv_shape *s, int64_t plane,
                          int64_t top, int64_t left)
{
    const bool fits = top >= 0 && left >= 0 && top % s->stride == 0 && left % s->stride == 0;
    const int64_t v = top / s->stride, u = left / s->stride;
    return fits && v < s->out_rows && u < s->out_cols
               ? (double)op->operands[OPERAND_D_OUTPUT]
                     .values[(plane * s->out_rows + v) * s->out_cols + u]
               : 0.0;
}

int64_t conv_data_gradient_explained_elements(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return 3 * (s.filters / s.groups * s.kernel * s.kernel);
}

struct explanation conv_data_gradient_explain(const struct operation *op, const struct view *image,
                                              int64_t n, int64_t row, int64_t at, double *values)
{
    (void)image;
    const struct conv_shape s = conv_shape_of(op);
    const int64_t channel = at / s.cols, col = at % s.cols, window = s.kernel * s.kernel;
    const int64_t depth = s.channels / s.groups, filters = s.filters / s.groups;
    const int64_t first = channel / depth * filters;
    struct explanation e = {.rows = filters * s.kernel,
                            .group = s.kernel,
                            .group_word = "filter",
                            .first_group = first,
                            .parts = {{"", s.kernel}, {"x", s.kernel}, {"=", s.kernel}}};
    double sum = 0.0;
    for (int64_t t = 0; t < filters * window; t++) {
        const int64_t filter = first + t / window, i = t / s.kernel % s.kernel, j = t % s.kernel;
        sum += put(
            values, filters * window, t,
            d_output_at(op, &s, n * s.filters + filter, row + s.padding - i, col + s.padding - j),
            (double)op->operands[OPERAND_WEIGHTS]
                .values[(filter * depth + channel % depth) * window + i * s.kernel + j]);
    }
    snprintf(e.title, sizeof e.title, "Gradient of element (%lld, %lld) of channel %lld",
             (long long)row, (long long)col, (long long)channel);
    snprintf(e.result, sizeof e.result, "sum %.9g", sum);
    return e;
}

/* The element that a weight multiplies, by its row and column in the padded image. */
static double element_at(const struct conv_shape *s, const struct view *image, int64_t n,
                         int64_t channel, int64_t top, int64_t left)
{
    const int64_t row = top - s->padding, col = left - s->padding;
    return row >= 0 && row < s->rows && col >= 0 && col < s->cols
               ? (double)(view_row(image, row) + n * image->plane_stride)[channel * s->cols + col]
               : 0.0;
}

int64_t conv_weight_gradient_explained_elements(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return 3 * (s.batch * s.out_rows * s.out_cols);
}

struct explanation conv_weight_gradient_explain(const struct operation *op,
                                                const struct view *image, int64_t filter,
                                                int64_t row, int64_t at, double *values)
{
    (void)row;
    const struct conv_shape s = conv_shape_of(op);
    const int64_t window = s.kernel * s.kernel, outputs = s.out_rows * s.out_cols;
    const int64_t i = at % window / s.kernel, j = at % s.kernel;
    const int64_t channel = filter / (s.filters / s.groups) * (s.channels / s.groups) + at / window;
    struct explanation e = {.rows = s.batch * s.out_rows,
                            .group = s.out_rows,
                            .group_word = "image",
                            .parts = {{"", s.out_cols}, {"x", s.out_cols}, {"=", s.out_cols}}};
    double sum = 0.0;
    for (int64_t q = 0; q < s.batch * outputs; q++) {
        const int64_t n = q / outputs, v = q % outputs / s.out_cols, u = q % s.out_cols;
        sum += put(values, s.batch * outputs, q,
                   (double)op->operands[OPERAND_D_OUTPUT]
                       .values[(n * s.filters + filter) * outputs + q % outputs],
                   element_at(&s, image, n, channel, v * s.stride + i, u * s.stride + j));
    }
    snprintf(e.title, sizeof e.title,
             "Gradient of weight (%lld, %lld) of filter %lld, channel %lld", (long long)i,
             (long long)j, (long long)filter, (long long)channel);
    snprintf(e.result, sizeof e.result, "sum %.9g", sum);
    return e;
}
