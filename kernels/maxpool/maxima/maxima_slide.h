/* Maxima of windows of up to four pieces, in registers: the line is read once and never widened in
 * place. */
#ifndef MAXPOOL_MAXIMA_SLIDE_H
#define MAXPOOL_MAXIMA_SLIDE_H

#include "kernels/maxpool/maxima/maxima_cover.h"

enum { SLIDE_PIECES = 4 };

/* The earlier values that windows ending in the next vector need. */
struct slide {
    struct widening widening;
    vec wide1, wide2, wide3; /* maxima of `reach` elements, the latest first */
};

/* Takes the next LANES elements of a line. Returns the maxima of the windows that end at each: a
 * window's last piece comes from this vector, middle pieces from the vectors before, and its first
 * piece spans two of them. */
MAXIMA_INLINE vec slide_step(struct slide *h, vec x, struct cover c)
{
    const int64_t rest = c.last - (c.pieces - 2) * c.reach;
    const vec wide = widen_step(&h->widening, x, c.reach);
    vec best = wide;
    if (c.pieces == 2)
        best = vec_max(wide, vec_delay(h->wide1, wide, rest));
    if (c.pieces == 3)
        best = vec_max(vec_max(wide, h->wide1), vec_delay(h->wide2, h->wide1, rest));
    if (c.pieces == 4)
        best = vec_max(vec_max(wide, h->wide1),
                       vec_max(h->wide2, vec_delay(h->wide3, h->wide2, rest)));
    h->wide3 = h->wide2;
    h->wide2 = h->wide1;
    h->wide1 = wide;
    return best;
}

/* Prepares for windows that begin at `elements`. */
MAXIMA_INLINE struct slide slide_begin(const float *elements, struct cover c)
{
    struct slide h = {widening_begin(), vec_zero(), vec_zero(), vec_zero()};
    const int64_t tail = c.last + c.reach - 1;
    for (int64_t back = (tail + LANES - 1) / LANES * LANES; back > 0; back -= LANES)
        slide_step(&h, vec_load(elements + tail - back), c);
    return h;
}

/* Returns the next LANES outputs. Their windows begin at `elements` and are `stride` (1 or 2)
 * apart. */
MAXIMA_INLINE vec slide_outputs(struct slide *h, const float *elements, struct cover c,
                                int64_t stride)
{
    const float *last = elements + c.last + c.reach - 1;
    const vec first = slide_step(h, vec_load(last), c);
    return stride == 1 ? first : vec_even(first, slide_step(h, vec_load(last + LANES), c));
}

/* Stores outputs [first, end): part of a vector up to an aligned address of the map, whole vectors,
 * past the caches if `stream`, then the tail. */
MAXIMA_INLINE void slide_along(const struct line *l, int64_t first, int64_t end, struct cover c,
                               int64_t stride, bool stream)
{
    const float *elements = l->elements;
    float *out = l->out;
    int64_t i = first;
    const int64_t past = (int64_t)((uintptr_t)(out + i) / sizeof(float) % LANES);
    struct slide h = slide_begin(elements + i * stride, c);
    if (past > 0 && end - i >= LANES) {
        const vec v = slide_outputs(&h, elements + i * stride, c, stride);
        vec_store_part(out + i, v, LANES - past);
        i += LANES - past;
        h = slide_begin(elements + i * stride, c);
    }
    if (stream)
        for (; i + LANES <= end; i += LANES)
            vec_stream(out + i, slide_outputs(&h, elements + i * stride, c, stride));
    for (; i + LANES <= end; i += LANES)
        vec_store(out + i, slide_outputs(&h, elements + i * stride, c, stride));
    if (i < end)
        vec_store_part(out + i, slide_outputs(&h, elements + i * stride, c, stride), end - i);
}

/* As slide_along(), with the reach as a constant. */
MAXIMA_INLINE void slide_reach(const struct line *l, int64_t first, int64_t end, struct cover c,
                               int64_t stride, bool stream)
{
    switch (c.reach) {
    case 1:
        slide_along(l, first, end, (struct cover){1, c.pieces, c.last}, stride, stream);
        break;
    case 2:
        slide_along(l, first, end, (struct cover){2, c.pieces, c.last}, stride, stream);
        break;
    case 4:
        slide_along(l, first, end, (struct cover){4, c.pieces, c.last}, stride, stream);
        break;
    case 8:
        slide_along(l, first, end, (struct cover){8, c.pieces, c.last}, stride, stream);
        break;
    default:
        slide_along(l, first, end, (struct cover){16, c.pieces, c.last}, stride, stream);
        break;
    }
}

/* As slide_reach(), with the number of pieces as a constant too. More than two pieces always have
 * reach LANES. */
MAXIMA_INLINE void slide_pieces(const struct line *l, int64_t first, int64_t end, struct cover c,
                                int64_t stride, bool stream)
{
    if (c.pieces == 1)
        slide_reach(l, first, end, (struct cover){c.reach, 1, 0}, stride, stream);
    else if (c.pieces == 2)
        slide_reach(l, first, end, (struct cover){c.reach, 2, c.last}, stride, stream);
    else if (c.pieces == 3)
        slide_along(l, first, end, (struct cover){LANES, 3, c.last}, stride, stream);
    else
        slide_along(l, first, end, (struct cover){LANES, 4, c.last}, stride, stream);
}

static __attribute__((noinline, unused)) void slide_outputs_of(const struct line *l, int64_t first,
                                                               int64_t end, struct cover c,
                                                               int64_t stride, bool stream)
{
    if (stride == 1)
        slide_pieces(l, first, end, c, 1, stream);
    else
        slide_pieces(l, first, end, c, 2, stream);
}

#endif
