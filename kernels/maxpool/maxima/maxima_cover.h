/* Outputs from a widened line: a few maxima of `reach` elements cover a window. */
#ifndef MAXPOOL_MAXIMA_COVER_H
#define MAXPOOL_MAXIMA_COVER_H

#include "kernels/maxpool/maxima/maxima_widen.h"

/* A line, which is turned into outputs while it grows. Elements [0, ready) hold vertical maxima. Of
 * these, elements [0, widened) are already replaced by the maxima of the `reach` elements that
 * begin there. Outputs [0, emitted) are stored. */
struct line {
    float *elements;
    float *out;
    float *room; /* NULL, or where the rest of the line moves when outputs are stored, so that a
                    wide line does not evict everything else from the first-level cache; element 0
                    is then before `room` */
    int64_t widened, emitted;
};

/* How `pieces` maxima of `reach` elements each cover a window of `kernel` elements. The last piece
 * begins at `last`, so that it ends where the window ends. */
struct cover {
    int64_t reach, pieces, last;
};

MAXIMA_INLINE struct cover maxima_cover(int64_t kernel, int64_t reach)
{
    return (struct cover){reach, (kernel + reach - 1) / reach, kernel - reach};
}

MAXIMA_INLINE vec cover_load(const float *elements, int64_t stride)
{
    if (stride == 1)
        return vec_load(elements);
    if (stride == 2)
        return vec_even(vec_load(elements), vec_load(elements + LANES));
    return vec_load_every(elements, stride);
}

/* Returns LANES outputs. Their windows begin at `elements` and are `stride` apart. */
MAXIMA_INLINE vec cover_outputs(const float *elements, struct cover c, int64_t stride)
{
    vec best = cover_load(elements + c.last, stride);
    for (int64_t i = 0; i + 1 < c.pieces; i++)
        best = vec_max(best, cover_load(elements + i * c.reach, stride));
    return best;
}

/* Stores outputs [first, end). If `stream`: part of a vector up to an aligned address, then whole
 * vectors past the caches. Then the remaining vectors and the tail. */
MAXIMA_INLINE void emit(const struct line *l, int64_t first, int64_t end, struct cover c,
                        int64_t stride, bool stream)
{
    const float *elements = l->elements;
    float *out = l->out;
    int64_t i = first;
    if (stream) {
        const int64_t past = (int64_t)((uintptr_t)(out + i) / sizeof(float) % LANES);
        if (past > 0) {
            const int64_t n = smaller(LANES - past, end - i);
            vec_store_part(out + i, cover_outputs(elements + i * stride, c, stride), n);
            i += n;
        }
        for (; i + LANES <= end; i += LANES)
            vec_stream(out + i, cover_outputs(elements + i * stride, c, stride));
    }
    for (; i + LANES <= end; i += LANES)
        vec_store(out + i, cover_outputs(elements + i * stride, c, stride));
    if (i < end)
        vec_store_part(out + i, cover_outputs(elements + i * stride, c, stride), end - i);
}

/* Windows further apart than this have no cache line in common: they are computed one by one. */
enum { MAXIMA_FAR = 16 };

MAXIMA_INLINE void emit_far(const struct line *l, int64_t first, int64_t end, struct cover c,
                            int64_t stride)
{
    for (int64_t i = first; i < end; i++) {
        const float *elements = l->elements + i * stride;
        float best = elements[c.last];
        for (int64_t piece = 0; piece + 1 < c.pieces; piece++)
            best = elements[piece * c.reach] > best ? elements[piece * c.reach] : best;
        l->out[i] = best;
    }
}

/* Stores outputs [first, end), with common strides and numbers of pieces as constants. */
MAXIMA_INLINE void emit_outputs(const struct line *l, int64_t first, int64_t end, struct cover c,
                                int64_t stride, bool stream)
{
    if (stride == 1 && c.pieces == 1)
        emit(l, first, end, (struct cover){c.reach, 1, 0}, 1, stream);
    else if (stride == 1 && c.pieces == 2)
        emit(l, first, end, (struct cover){c.reach, 2, c.last}, 1, stream);
    else if (stride == 1 && c.pieces == 3)
        emit(l, first, end, (struct cover){c.reach, 3, c.last}, 1, stream);
    else if (stride == 1 && c.pieces == 4)
        emit(l, first, end, (struct cover){c.reach, 4, c.last}, 1, stream);
    else if (stride == 1)
        emit(l, first, end, c, 1, stream);
    else if (stride == 2 && c.pieces == 1)
        emit(l, first, end, (struct cover){c.reach, 1, 0}, 2, stream);
    else if (stride == 2 && c.pieces == 2)
        emit(l, first, end, (struct cover){c.reach, 2, c.last}, 2, stream);
    else if (stride <= MAXIMA_FAR)
        emit(l, first, end, c, stride, stream);
    else
        emit_far(l, first, end, c, stride);
}

#endif
