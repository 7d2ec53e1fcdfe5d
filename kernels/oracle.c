#include "kernels/oracle.h"

#include <float.h>
#include <math.h>

/* The value of the padded image at (row, col), both possibly outside. */
static double padded_pixel(const struct oracle_window *w, int64_t row, int64_t col)
{
    const struct geometry *g = w->geometry;
    if (row < 0 || row >= g->rows || col < 0 || col >= g->cols)
        return g->pad_mode == PAD_IGNORE ? -(double)FLT_MAX : 0.0;
    return w->image.data[(row - w->image.first_row) * w->image.row_stride + col - w->first_col];
}

struct expectation oracle_maximum(const struct oracle_window *w)
{
    const struct geometry *g = w->geometry;
    const int64_t top = w->row * g->stride - g->padding;
    const int64_t left = w->col * g->stride - g->padding;
    double best = -INFINITY;
    for (int64_t i = 0; i < g->kernel; i++)
        for (int64_t j = 0; j < g->kernel; j++)
            best = fmax(best, padded_pixel(w, top + i, left + j));
    return (struct expectation){best, 0.0};
}

double oracle_bound(int64_t terms, double magnitude)
{
    const double u = 0x1p-24, smallest = 0x1p-149;
    const double n = (double)terms;
    if (n * u >= 1.0)
        return INFINITY;
    return n * u / (1.0 - n * u) * magnitude + n * smallest;
}

struct expectation oracle_product(const struct oracle_window *w, const float *filter)
{
    const struct geometry *g = w->geometry;
    const int64_t k = g->kernel;
    const int64_t top = w->row * g->stride - g->padding;
    const int64_t left = w->col * g->stride - g->padding;
    double best = -INFINITY, magnitude = 0.0;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            double sum = 0.0, absolute = 0.0;
            for (int64_t q = 0; q < k; q++) {
                const double term = padded_pixel(w, top + i, left + q) * filter[q * k + j];
                sum += term;
                absolute += fabs(term);
            }
            best = fmax(best, sum);
            magnitude = fmax(magnitude, absolute);
        }
    return (struct expectation){best, oracle_bound(k, magnitude)};
}

double oracle_rounded_bound(double roundoff, int64_t terms, double magnitude, double elements)
{
    const double operands = 2.0 * roundoff + roundoff * roundoff;
    return operands * magnitude + oracle_bound(4 * terms, (1.0 + operands) * magnitude) +
           2.0 * FLT_MIN * (elements + (double)terms);
}

/* Sets each value, and each bound to the sum of the terms' magnitudes. */
static void sum_terms(const float *a, const struct view *b, int64_t terms, int64_t col,
                      int64_t cols, struct expectation *out)
{
    for (int64_t j = 0; j < cols; j++)
        out[j] = (struct expectation){0.0, 0.0};
    for (int64_t q = 0; q < terms; q++) {
        const float *row = b->data + (q - b->first_row) * b->row_stride + col;
        for (int64_t j = 0; j < cols; j++) {
            const double term = (double)a[q] * row[j];
            out[j].value += term;
            out[j].bound += fabs(term);
        }
    }
}

void oracle_dots(const float *a, const struct view *b, int64_t terms, int64_t col, int64_t cols,
                 struct expectation *out)
{
    sum_terms(a, b, terms, col, cols, out);
    for (int64_t j = 0; j < cols; j++)
        out[j].bound = oracle_bound(terms, out[j].bound);
}

void oracle_rounded_dots(const float *a, const struct view *b, int64_t terms, int64_t col,
                         int64_t cols, double roundoff, double elements, struct expectation *out)
{
    sum_terms(a, b, terms, col, cols, out);
    for (int64_t j = 0; j < cols; j++)
        out[j].bound = oracle_rounded_bound(roundoff, terms, out[j].bound, elements);
}

bool oracle_is_exact(bool integers, int64_t terms, double max_x, double max_b)
{
    return integers && (double)terms * max_x * max_b < 0x1p24;
}

bool oracle_accepts(struct expectation e, float result)
{
    return isfinite(result) && fabs((double)result - e.value) <= e.bound;
}
