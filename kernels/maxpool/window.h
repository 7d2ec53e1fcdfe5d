/* Cutting one window out of a view, padding included. */
#ifndef MAXPOOL_WINDOW_H
#define MAXPOOL_WINDOW_H

#include "kernels/method_call.h"

/* Copies the window of output (row, col) to w, kernel x kernel, row-major; pixels outside the image
 * become the pad value. Always inlined, so that a constant k makes a fixed-size copy. */
static inline __attribute__((always_inline)) void
window_cut(const struct maxpool_call *call, int64_t row, int64_t col, int64_t k, float *w)
{
    const struct geometry *g = call->geometry;
    const int64_t top = row * g->stride - g->padding;
    const int64_t left = col * g->stride - g->padding;
    const float pad = geometry_pad_value(g);
    for (int64_t i = 0; i < k; i++) {
        const int64_t r = top + i;
        const bool row_inside = r >= 0 && r < g->rows;
        const float *line = row_inside ? view_row(&call->image, r) : NULL;
        for (int64_t j = 0; j < k; j++) {
            const int64_t c = left + j;
            w[i * k + j] = row_inside && c >= 0 && c < g->cols ? line[c] : pad;
        }
    }
}

/* Sets [*first, *end) to the output columns whose windows, plus `more` pixels to the right of each,
 * are within the image's columns. */
static inline void window_columns_inside(const struct geometry *g, int64_t more, int64_t *first,
                                         int64_t *end)
{
    const int64_t room = g->cols + g->padding - g->kernel - more;
    *first = g->padding / g->stride + (g->padding % g->stride != 0);
    *end = room < 0 ? 0 : room / g->stride + 1;
}

/* Returns the floats of one window, or SIZE_MAX / 16 if their number or their bytes overflow. */
static inline size_t window_pixels(const struct geometry *g)
{
    size_t pixels;
    if (__builtin_mul_overflow((size_t)g->kernel, (size_t)g->kernel, &pixels) ||
        pixels > SIZE_MAX / 16)
        return SIZE_MAX / 16;
    return pixels;
}

#endif
