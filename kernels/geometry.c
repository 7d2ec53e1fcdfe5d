#include "kernels/geometry.h"

#include <float.h>

int64_t geometry_outputs(int64_t n, int64_t k, int64_t s, int64_t p)
{
    int64_t padded;
    if (__builtin_mul_overflow(p, (int64_t)2, &padded) ||
        __builtin_add_overflow(padded, n, &padded))
        return -1;
    return padded < k ? 0 : (padded - k) / s + 1;
}

int64_t geometry_elements(int64_t planes, int64_t rows, int64_t cols)
{
    int64_t elements, bytes;
    if (__builtin_mul_overflow(planes, rows, &elements) ||
        __builtin_mul_overflow(elements, cols, &elements) ||
        __builtin_mul_overflow(elements, (int64_t)sizeof(float), &bytes))
        return -1;
    return elements;
}

static enum geometry_status check(const struct geometry *g)
{
    if (g->planes < 1 || g->rows < 1 || g->cols < 1)
        return GEOMETRY_BAD_SIZE;
    if (g->kernel < 1)
        return GEOMETRY_BAD_KERNEL;
    if (g->stride < 1)
        return GEOMETRY_BAD_STRIDE;
    if (g->padding < 0)
        return GEOMETRY_BAD_PADDING;
    if (g->pad_mode == PAD_IGNORE && g->padding >= g->kernel)
        return GEOMETRY_PAD_TOO_WIDE;
    return GEOMETRY_OK;
}

enum geometry_status geometry_complete(struct geometry *g)
{
    g->out_rows = g->out_cols = 0;
    enum geometry_status status = check(g);
    if (status != GEOMETRY_OK)
        return status;
    int64_t out_rows = geometry_outputs(g->rows, g->kernel, g->stride, g->padding);
    int64_t out_cols = geometry_outputs(g->cols, g->kernel, g->stride, g->padding);
    if (out_rows < 0 || out_cols < 0 || geometry_elements(g->planes, g->rows, g->cols) < 0)
        return GEOMETRY_OVERFLOW;
    if (out_rows == 0 || out_cols == 0)
        return GEOMETRY_NO_FIT;
    if (geometry_elements(g->planes, out_rows, out_cols) < 0)
        return GEOMETRY_OVERFLOW;
    g->out_rows = out_rows;
    g->out_cols = out_cols;
    return GEOMETRY_OK;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

void geometry_rows_needed(const struct geometry *g, int64_t row, int64_t rows, int64_t *first,
                          int64_t *count)
{
    int64_t begin = row * g->stride - g->padding;
    int64_t end = (row + rows - 1) * g->stride - g->padding + g->kernel;
    begin = clamp(begin, 0, g->rows);
    end = clamp(end, begin, g->rows);
    *first = begin;
    *count = end - begin;
}

float geometry_pad_value(const struct geometry *g)
{
    return g->pad_mode == PAD_IGNORE ? -FLT_MAX : 0.0f;
}
