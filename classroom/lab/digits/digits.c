#include "classroom/lab/digits/digits.h"

#include "harness/base/digest.h"
#include "kernels/term_sum.h"

#include <math.h>

/* Products of 24 and 4 bits: their sum is exact in double. A: rows x inner, B: inner x cols. */
static struct term_sum product_sum(const struct operation *op, const float *a, const float *b,
                                   int64_t row, int64_t col)
{
    const int64_t inner = op->image.cols, cols = op->map.cols;
    struct term_sum s = {0};
    for (int64_t q = 0; q < inner; q++)
        term_sum_add(&s, (double)a[row * inner + q] * (double)b[q * cols + col]);
    return s;
}

/* X: points x dimensions, Y likewise. The error of the root is half of that of its argument, and
 * one rounding: less than that of the argument where it has 3 terms or more. */
static struct term_sum distance_sum(const struct operation *op, const float *x, const float *y,
                                    int64_t row, int64_t col)
{
    const int64_t dimensions = op->image.cols;
    struct term_sum s = {0};
    for (int64_t q = 0; q < dimensions; q++) {
        const double apart = (double)x[row * dimensions + q] - (double)y[col * dimensions + q];
        term_sum_add(&s, apart * apart);
    }
    s.value = s.magnitude = sqrt(s.value);
    return s;
}

/* Image: batch x channels x rows x cols, weights: filters x channels x k x k. `row` is the filter,
 * `col` the output among those of the whole batch. */
static struct term_sum conv_sum(const struct operation *op, const float *image,
                                const float *weights, int64_t row, int64_t col)
{
    const struct geometry *g = &op->geometry;
    const int64_t channels = op->kind->image_channels(op), rows = g->rows, cols = g->cols,
                  k = g->kernel, high = g->out_rows, wide = g->out_cols;
    const int64_t top = col / wide % high * g->stride - g->padding,
                  left = col % wide * g->stride - g->padding;
    const float *one = image + col / (wide * high) * channels * rows * cols;
    struct term_sum s = {0};
    for (int64_t c = 0; c < channels; c++)
        for (int64_t i = 0; i < k; i++)
            for (int64_t j = 0; j < k; j++)
                if (top + i >= 0 && top + i < rows && left + j >= 0 && left + j < cols)
                    term_sum_add(&s, (double)one[(c * rows + top + i) * cols + left + j] *
                                         (double)weights[((row * channels + c) * k + i) * k + j]);
    return s;
}

/* An operation as a matrix of results. Of images with channels, the map is batch x filters x
 * outputs of an image, and the matrix has a row for each filter. */
struct matrix {
    int64_t rows, cols, images;
    struct term_sum (*sum)(const struct operation *op, const float *first, const float *second,
                           int64_t row, int64_t col);
};

static bool has_shape(struct image_shape s, int64_t rows, int64_t cols)
{
    return s.planes == 1 && s.rows == rows && s.cols == cols;
}

/* What the row says: distances of points, windows over channels, or a product without windows. No
 * `sum`: none of these. */
static struct matrix matrix_of(const struct operation *op)
{
    const struct image_shape image = op->image, map = op->map, right = operation_right(op)->shape;
    const int64_t k = op->geometry.kernel;
    struct matrix m = {map.rows, map.cols, 0, NULL};
    if (op->kind->image_channels) {
        m = (struct matrix){op->kind->map_channels(op), 0, image.planes, NULL};
        m.cols = shape_elements(map) / m.rows;
        if (shape_elements(right) == m.rows * op->kind->image_channels(op) * k * k)
            m.sum = conv_sum;
    } else if (has_shape(map, image.rows, op->kind->points ? right.rows : right.cols)) {
        if (op->kind->points && right.cols == image.cols)
            m.sum = distance_sum;
        if (!op->kind->points && k == 0 && right.rows == image.cols)
            m.sum = product_sum;
    }
    return m;
}

/* The output of the map that is element (row, col) of the matrix. */
static int64_t place_of(const struct matrix *m, int64_t row, int64_t col)
{
    if (m->images == 0)
        return row * m->cols + col;
    const int64_t of_image = m->cols / m->images;
    return (col / of_image * m->rows + row) * of_image + col % of_image;
}

static double allowed_ratio(double outputs)
{
    static const double log_alarm = 20.8; /* -ln 1e-9 */
    double c = 2.0;
    while (outputs / 2.0 * (c - 1.0 - log(c)) < log_alarm)
        c += 0.05;
    return c;
}

struct errors {
    int64_t compared, outputs; /* outputs: of those, the ones with enough terms */
    int64_t far_off;           /* by a quarter of the terms' magnitudes */
    double squares;
};

static void add_error(struct errors *e, const struct term_sum *s, float found)
{
    enum { FEWEST_TERMS = 8 };
    const double off = (double)found - s->value, unit = s->magnitude * 0x1p-24;
    e->compared++;
    e->far_off += fabs(off) > s->magnitude / 4.0;
    if (s->terms < FEWEST_TERMS || !(unit > 0.0))
        return;
    e->squares += pow(off / unit, 2.0) / (double)(s->terms + 1);
    e->outputs++;
}

/* Of the outputs of a diagonal, at a place that nobody knows. */
static struct errors compare(const struct matrix *m, const struct operation *op,
                             const float *const arrays[LAB_ARRAYS])
{
    enum { MOST = 512 };
    const int64_t most = m->rows < m->cols ? m->rows : m->cols, count = most < MOST ? most : MOST;
    const uint64_t shift = lab_fresh_seed();
    struct errors e = {0};
    for (int64_t i = 0; i < count; i++) {
        const int64_t row = (int64_t)((shift + (uint64_t)i) % (uint64_t)m->rows);
        const int64_t col = (int64_t)((digest_mix(shift) + (uint64_t)i) % (uint64_t)m->cols);
        const struct term_sum s = m->sum(op, arrays[LAB_IMAGE], arrays[LAB_SECOND], row, col);
        add_error(&e, &s, arrays[LAB_MAP][place_of(m, row, col)]);
    }
    return e;
}

struct lab_digits lab_digits_of(const struct lab_input *in, const struct lab_arrays *arrays,
                                const struct lab_order *order)
{
    enum { LEAST = 12 };
    const struct matrix m = matrix_of(&in->operation);
    const float *at[LAB_ARRAYS];
    for (int i = 0; i < LAB_ARRAYS; i++)
        at[i] = (const float *)(arrays->address[i] + order->begin[i]);
    const struct errors e = m.sum ? compare(&m, &in->operation, at) : (struct errors){0};
    if (e.outputs < LEAST || 2 * e.far_off > e.compared)
        return (struct lab_digits){0};
    return (struct lab_digits){.outputs = e.outputs,
                               .error = sqrt(e.squares / (double)e.outputs),
                               .allowed = sqrt(allowed_ratio((double)e.outputs))};
}
