/* Small windows without a line: from k <= 3 image rows directly to the map. */
#ifndef MAXPOOL_SMALL_WINDOWS_H
#define MAXPOOL_SMALL_WINDOWS_H

#include "kernels/maxpool/maxima/maxima_slide.h"

/* The windows of an output row: their image rows, and how pieces cover a window. */
struct small {
    const struct strip *strip;
    const float *rows[3];
    struct cover cover;
};

/* Returns the maxima of LANES columns. The first is the last column of the window that begins at
 * `element`. */
MAXIMA_INLINE vec small_columns(const struct small *w, int64_t element, int64_t k, bool edge)
{
    vec best = strip_load(w->strip, w->rows[0], element + k - 1, edge);
    for (int64_t r = 1; r < k; r++)
        best = vec_max(best, strip_load(w->strip, w->rows[r], element + k - 1, edge));
    return best;
}

MAXIMA_INLINE struct slide small_begin(const struct small *w, int64_t element, int64_t k)
{
    struct slide h = {widening_begin(), vec_zero(), vec_zero(), vec_zero()};
    slide_step(&h, small_columns(w, element - LANES, k, true), w->cover);
    return h;
}

MAXIMA_INLINE vec small_outputs(const struct small *w, struct slide *h, int64_t i, int64_t k,
                                int64_t stride, bool edge)
{
    const int64_t element = i * stride;
    const vec first = slide_step(h, small_columns(w, element, k, edge), w->cover);
    if (stride == 1)
        return first;
    const vec second = slide_step(h, small_columns(w, element + LANES, k, edge), w->cover);
    return vec_even(first, second);
}

/* Prefetches the elements that the next output row is the first to read. */
MAXIMA_INLINE void small_ahead(const struct small *w, int64_t i, int64_t k, int64_t stride)
{
    for (int64_t r = k > stride ? k - stride : 0; r < k; r++)
        for (int64_t v = 0; v < stride; v++)
            __builtin_prefetch(w->rows[r] + i * stride + v * LANES + w->strip->ahead, 0, 2);
}

/* Returns the end of the outputs from `i` on that need elements inside the image alone, in whole
 * vectors. */
MAXIMA_INLINE int64_t small_inside(const struct strip *p, int64_t i, int64_t k, int64_t stride)
{
    const int64_t room = p->end - (k - 1) - i * stride;
    const int64_t fit = p->inside <= k - 1 && room > 0 ? room / (stride * LANES) * LANES : 0;
    return i + smaller(fit, (p->outputs - i) / LANES * LANES);
}

/* Computes one output row from its k <= 3 image rows directly to the map. Short rows need this: a
 * line would cost them more than the maxima. */
MAXIMA_INLINE void small_row(const struct strip *p, int64_t row, int64_t k, int64_t stride)
{
    const struct small w = {p,
                            {strip_row(p, row * stride), strip_row(p, row * stride + (k > 1)),
                             strip_row(p, row * stride + k - 1)},
                            k == 1   ? (struct cover){1, 1, 0}
                            : k == 2 ? (struct cover){2, 1, 0}
                                     : (struct cover){2, 2, 1}};
    float *out = map_row(&p->call->map, p->call->block.row + row) + p->col;
    const int64_t past = (int64_t)((uintptr_t)out / sizeof(float) % LANES);
    int64_t i = 0;
    struct slide h = small_begin(&w, 0, k);
    if (p->stream && past > 0 && p->outputs >= LANES) {
        vec_store_part(out, small_outputs(&w, &h, 0, k, stride, true), LANES - past);
        i = LANES - past;
        h = small_begin(&w, i * stride, k);
    }
    const int64_t inside = small_inside(p, i, k, stride);
    if (p->stream)
        for (; i < inside; i += LANES) {
            if (p->ahead > 0 && k + stride > 2) /* a copy is faster in one stream */
                small_ahead(&w, i, k, stride);
            vec_stream(out + i, small_outputs(&w, &h, i, k, stride, false));
        }
    for (; i < inside; i += LANES)
        vec_store(out + i, small_outputs(&w, &h, i, k, stride, false));
    for (; i < p->outputs; i += LANES)
        vec_store_part(out + i, small_outputs(&w, &h, i, k, stride, true),
                       smaller(LANES, p->outputs - i));
}

MAXIMA_INLINE bool small_windows(const struct geometry *g)
{
    return LANES > 1 && g->kernel <= 3 && g->stride <= 2;
}

MAXIMA_INLINE void small_rows(const struct strip *p)
{
    const int64_t rows = p->call->block.rows;
    for (int64_t r = 0; r < rows; r++)
        if (p->kernel == 2 && p->stride == 1)
            small_row(p, r, 2, 1);
        else if (p->kernel == 2)
            small_row(p, r, 2, 2);
        else if (p->kernel == 3 && p->stride == 1)
            small_row(p, r, 3, 1);
        else if (p->kernel == 3)
            small_row(p, r, 3, 2);
        else if (p->stride == 1)
            small_row(p, r, 1, 1);
        else
            small_row(p, r, 1, 2);
}

#endif
