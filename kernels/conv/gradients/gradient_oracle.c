#include "kernels/conv/gradients/gradient_oracle.h"

#include "kernels/min_max.h"
#include "kernels/term_sum.h"

#include <math.h>

static struct expectation expectation_of(const struct term_sum *s)
{
    return (struct expectation){s->value, oracle_bound(s->terms + 1, s->magnitude)};
}

/* Along an axis, the first output whose window of `reach` elements may contain the element. The
 * last one's window begins no later than the element. */
static int64_t first_output(const struct conv_shape *s, int64_t element, int64_t reach)
{
    const int64_t before = element + s->padding - reach;
    return before < 0 ? 0 : before / s->stride + 1;
}

/* Adds what the outputs of one plane, through their windows, contribute to one element. */
static void scatter(struct term_sum *sums, const struct conv_shape *s, const float *d_output,
                    const float *window, int64_t row, int64_t col)
{
    for (int64_t v = first_output(s, row, s->kernel); v < s->out_rows; v++) {
        const int64_t i = row + s->padding - v * s->stride;
        if (i < 0)
            break;
        for (int64_t u = first_output(s, col, s->kernel); u < s->out_cols; u++) {
            const int64_t j = col + s->padding - u * s->stride;
            if (j < 0)
                break;
            term_sum_add(sums, (double)d_output[v * s->out_cols + u] * window[i * s->kernel + j]);
        }
    }
}

struct expectation oracle_conv_data_gradient(const struct conv_gradient_operands *o, int64_t n,
                                             int64_t channel, int64_t row, int64_t col)
{
    const struct conv_shape *s = o->shape;
    const int64_t depth = s->channels / s->groups, filters = s->filters / s->groups;
    const int64_t group = channel / depth, window = s->kernel * s->kernel;
    struct term_sum sums = {0.0, 0.0, 0};
    for (int64_t f = group * filters; f < (group + 1) * filters; f++)
        scatter(&sums, s, o->d_output + (n * s->filters + f) * s->out_rows * s->out_cols,
                o->weights + (f * depth + channel - group * depth) * window, row, col);
    return expectation_of(&sums);
}

/* The sums of two magnitudes for one filter: of the output gradients whose windows may contain the
 * element, and of the weights that multiply it there. */
static double d_output_magnitude(const struct conv_shape *s, const float *d_output, int64_t row,
                                 int64_t col)
{
    const int64_t reach = (s->kernel + s->stride - 1) / s->stride * s->stride;
    double sum = 0.0;
    const int64_t bottom = smaller(s->out_rows - 1, (row + s->padding) / s->stride);
    const int64_t right = smaller(s->out_cols - 1, (col + s->padding) / s->stride);
    for (int64_t v = first_output(s, row, reach); v <= bottom; v++)
        for (int64_t u = first_output(s, col, reach); u <= right; u++)
            sum += fabs((double)d_output[v * s->out_cols + u]);
    return sum;
}

static double weight_magnitude(const struct conv_shape *s, const float *window, int64_t row,
                               int64_t col)
{
    double sum = 0.0;
    for (int64_t i = (row + s->padding) % s->stride; i < s->kernel; i += s->stride)
        for (int64_t j = (col + s->padding) % s->stride; j < s->kernel; j += s->stride)
            sum += fabs((double)window[i * s->kernel + j]);
    return sum;
}

double oracle_conv_data_gradient_winograd_bound(const struct conv_gradient_operands *o, int64_t n,
                                                int64_t channel, int64_t row, int64_t col)
{
    const struct conv_shape *s = o->shape;
    const int64_t depth = s->channels / s->groups, filters = s->filters / s->groups;
    const int64_t group = channel / depth, window = s->kernel * s->kernel;
    double products = 0.0;
    for (int64_t f = group * filters; f < (group + 1) * filters; f++)
        products +=
            weight_magnitude(s, o->weights + (f * depth + channel - group * depth) * window, row,
                             col) *
            d_output_magnitude(s, o->d_output + (n * s->filters + f) * s->out_rows * s->out_cols,
                               row, col);
    return oracle_bound(filters + 14 + 1, 4.0 * products);
}

struct expectation oracle_conv_weight_gradient(const struct conv_gradient_operands *o, int64_t at)
{
    const struct conv_shape *s = o->shape;
    const int64_t depth = s->channels / s->groups, window = s->kernel * s->kernel;
    const int64_t filter = at / (depth * window), place = at % window;
    const int64_t channel = filter / (s->filters / s->groups) * depth + at / window % depth;
    const int64_t i = place / s->kernel - s->padding, j = place % s->kernel - s->padding;
    struct term_sum sums = {0.0, 0.0, 0};
    for (int64_t n = 0; n < o->images; n++) {
        const float *plane =
            o->image.data + n * o->image.image_stride + channel * o->image.channel_stride;
        const float *d_output = o->d_output + (n * s->filters + filter) * s->out_rows * s->out_cols;
        for (int64_t q = 0; q < s->out_rows * s->out_cols; q++) {
            const int64_t row = q / s->out_cols * s->stride + i;
            const int64_t col = q % s->out_cols * s->stride + j;
            if (row >= 0 && row < s->rows && col >= 0 && col < s->cols)
                term_sum_add(&sums, (double)d_output[q] * plane[row * o->image.row_stride + col]);
        }
    }
    return expectation_of(&sums);
}

struct expectation oracle_conv_bias_gradient(const struct conv_gradient_operands *o, int64_t filter)
{
    const struct conv_shape *s = o->shape;
    const int64_t outputs = s->out_rows * s->out_cols;
    struct term_sum sums = {0.0, 0.0, 0};
    for (int64_t n = 0; n < o->images; n++)
        for (int64_t q = 0; q < outputs; q++)
            term_sum_add(&sums, o->d_output[(n * s->filters + filter) * outputs + q]);
    return expectation_of(&sums);
}

/* ---- of transformed tiles -------------------------------------------------------------------- */

/* Magnitudes of the matrices of kernels/conv/gradients/gradient_winograd.c. Along an axis, the 4
 * places of a transformed tile are of 3 kinds, since the two in the middle differ only in signs.
 * For each kind: its factors of two output gradients, the two elements that it adds, and how many
 * of its places a weight sums. */
enum { KINDS = 3, OUTPUTS = 2, ADDED = 2, WINDOW = 3 };
static const double spreads[KINDS][OUTPUTS] = {{1, 0}, {.5, .5}, {0, 1}};
static const int64_t turns[KINDS][ADDED] = {{0, 2}, {1, 2}, {1, 3}};
static const double gathers[WINDOW][KINDS] = {{1, 2, 0}, {0, 2, 0}, {0, 2, 1}};

/* A plane; 0 outside. */
struct plane {
    const float *values;
    int64_t row_stride, rows, cols;
};

static double magnitude_at(const struct plane *p, int64_t row, int64_t col)
{
    return row >= 0 && row < p->rows && col >= 0 && col < p->cols
               ? fabs((double)p->values[row * p->row_stride + col])
               : 0.0;
}

/* The magnitudes of a tile's output gradients, and of the elements under it, transformed to the
 * kinds p and q along its axes. */
static double spread_magnitude(const struct plane *d_output, int64_t row, int64_t col, int p, int q)
{
    double sum = 0.0;
    for (int i = 0; i < OUTPUTS; i++)
        for (int j = 0; j < OUTPUTS; j++)
            sum += spreads[p][i] * spreads[q][j] * magnitude_at(d_output, row + i, col + j);
    return sum;
}

static double turned_magnitude(const struct plane *image, int64_t row, int64_t col, int p, int q)
{
    double sum = 0.0;
    for (int i = 0; i < ADDED; i++)
        for (int j = 0; j < ADDED; j++)
            sum += magnitude_at(image, row + turns[p][i], col + turns[q][j]);
    return sum;
}

/* The magnitude that one tile of output gradients contributes to a weight at place (i, j) of its
 * window. */
static double tile_magnitude(const struct plane *image, const struct plane *d_output, int64_t y,
                             int64_t x, int64_t padding, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int p = 0; p < KINDS; p++)
        for (int q = 0; q < KINDS; q++)
            if (gathers[i][p] > 0 && gathers[j][q] > 0)
                sum += gathers[i][p] * gathers[j][q] * spread_magnitude(d_output, y, x, p, q) *
                       turned_magnitude(image, y - padding, x - padding, p, q);
    return sum;
}

double oracle_conv_weight_gradient_winograd_bound(const struct conv_gradient_operands *o,
                                                  int64_t at, int64_t parts)
{
    enum { TRANSFORMS = 14 };
    const struct conv_shape *s = o->shape;
    const int64_t depth = s->channels / s->groups, filter = at / (depth * WINDOW * WINDOW);
    const int64_t place = at % (WINDOW * WINDOW);
    const int64_t channel =
        filter / (s->filters / s->groups) * depth + at / (WINDOW * WINDOW) % depth;
    double magnitude = 0.0;
    int64_t tiles = 0;
    for (int64_t n = 0; n < o->images; n++) {
        const struct plane image = {o->image.data + n * o->image.image_stride +
                                        channel * o->image.channel_stride,
                                    o->image.row_stride, s->rows, s->cols};
        const struct plane d_output = {o->d_output +
                                           (n * s->filters + filter) * s->out_rows * s->out_cols,
                                       s->out_cols, s->out_rows, s->out_cols};
        for (int64_t y = 0; y < s->out_rows; y += OUTPUTS)
            for (int64_t x = 0; x < s->out_cols; x += OUTPUTS, tiles++)
                magnitude += tile_magnitude(&image, &d_output, y, x, s->padding, place / WINDOW,
                                            place % WINDOW);
    }
    return oracle_bound(tiles + TRANSFORMS + parts, magnitude);
}
