#include "experiments/lab/digits/digits.h"

#include "harness/base/digest.h"
#include "kernels/term_sum.h"

#include <math.h>
#include <string.h>

/* Products of 24 and 4 bits: their sum is exact in double. A: rows x inner, B: inner x cols. */
static struct term_sum product_sum(const int32_t *n, const float *a, const float *b, int64_t row,
                                   int64_t col)
{
    struct term_sum s = {0};
    for (int64_t q = 0; q < n[1]; q++)
        term_sum_add(&s, (double)a[row * n[1] + q] * (double)b[q * n[2] + col]);
    return s;
}

/* X: points x dimensions, Y likewise. The error of the root is half of that of its argument, and
 * one rounding: less than that of the argument where it has 3 terms or more. */
static struct term_sum distance_sum(const int32_t *n, const float *x, const float *y, int64_t row,
                                    int64_t col)
{
    struct term_sum s = {0};
    for (int64_t q = 0; q < n[2]; q++) {
        const double apart = (double)x[row * n[2] + q] - (double)y[col * n[2] + q];
        term_sum_add(&s, apart * apart);
    }
    s.value = s.magnitude = sqrt(s.value);
    return s;
}

/* Image: batch x channels x rows x cols, weights: filters x channels x k x k. `row` is the filter,
 * `col` the output among those of the whole batch. */
static struct term_sum conv_sum(const int32_t *n, const float *image, const float *weights,
                                int64_t row, int64_t col)
{
    const int64_t channels = n[1], rows = n[2], cols = n[3], k = n[5], stride = n[6],
                  padding = n[7];
    const int64_t high = (rows + 2 * padding - k) / stride + 1,
                  wide = (cols + 2 * padding - k) / stride + 1;
    const int64_t top = col / wide % high * stride - padding, left = col % wide * stride - padding;
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

/* An operator as a matrix of results. of_images: its map is batch x filters x outputs of an image,
 * and the matrix has a row for each filter. */
static const struct matrix {
    const char *name;
    bool of_images;
    struct term_sum (*sum)(const int32_t *n, const float *first, const float *second, int64_t row,
                           int64_t col);
} matrices[] = {
    {"matmul", false, product_sum}, {"conv", true, conv_sum}, {"distances", false, distance_sum}};

static void matrix_size(const struct matrix *m, const struct lab_input *in, const int32_t *n,
                        int64_t *rows, int64_t *cols)
{
    const int64_t outputs = shape_elements(in->operation.map);
    *rows = m->of_images ? n[4] : n[0];
    *cols = outputs / *rows;
}

/* The output of the map that is element (row, col) of the matrix. */
static int64_t place_of(const struct matrix *m, const int32_t *n, int64_t row, int64_t col,
                        int64_t rows, int64_t cols)
{
    if (!m->of_images)
        return row * cols + col;
    const int64_t of_image = cols / n[0];
    return (col / of_image * rows + row) * of_image + col % of_image;
}

static double allowed_ratio(double outputs)
{
    static const double log_alarm = 20.8; /* -ln 1e-9 */
    double c = 2.0;
    while (outputs / 2.0 * (c - 1.0 - log(c)) < log_alarm)
        c += 0.05;
    return c;
}

struct lab_digits lab_digits_of(const struct lab_input *in, const struct lab_arrays *arrays,
                                const struct lab_order *order)
{
    enum { LEAST = 12, MOST = 512, FEWEST_TERMS = 8 };
    const float *operands[LAB_ARRAYS];
    const struct matrix *m = matrices, *const end = matrices + sizeof matrices / sizeof *matrices;
    struct lab_digits out = {0};
    int64_t rows, cols;
    double squares = 0.0;
    while (m < end && strcmp(m->name, in->kind->name) != 0)
        m++;
    if (m == end)
        return out;
    for (int i = 0; i < LAB_ARRAYS; i++)
        operands[i] = (const float *)(arrays->address[i] + order->begin[i]);
    matrix_size(m, in, order->integers, &rows, &cols);
    const int64_t most = rows < cols ? rows : cols, count = most < MOST ? most : MOST;
    const uint64_t shift = lab_fresh_seed();
    for (int64_t i = 0; i < count; i++) { /* a diagonal, at a place that nobody knows */
        const int64_t row = (int64_t)((shift + (uint64_t)i) % (uint64_t)rows);
        const int64_t col = (int64_t)((digest_mix(shift) + (uint64_t)i) % (uint64_t)cols);
        const struct term_sum s =
            m->sum(order->integers, operands[LAB_IMAGE], operands[LAB_SECOND], row, col);
        const double found = operands[LAB_MAP][place_of(m, order->integers, row, col, rows, cols)];
        const double unit = s.magnitude * 0x1p-24;
        if (s.terms < FEWEST_TERMS || !(unit > 0.0))
            continue;
        squares += pow((found - s.value) / unit, 2.0) / (double)(s.terms + 1);
        out.outputs++;
    }
    if (out.outputs < LEAST)
        return (struct lab_digits){0};
    out.error = sqrt(squares / (double)out.outputs);
    out.allowed = sqrt(allowed_ratio((double)out.outputs));
    return out;
}
