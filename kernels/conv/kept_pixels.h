/* The register tile of kernels/conv/pixel_lanes.h where windows are single elements of many terms,
 * in AVX2: the first filters that pass over a tile's pixels copy the elements, one term after the
 * other, and the other filters read the copy. In the image the terms of a pixel are a plane apart:
 * planes of 56 x 56 or 112 x 112 share so few sets of the first-level cache that the elements of a
 * tile do not stay in it, and no prefetcher follows them. So the next tile's are prefetched
 * meanwhile. The sums have the same terms in the same order. Included once per instruction set. */
#ifndef MAXPOOL_CONV_KEPT_PIXELS_H
#define MAXPOOL_CONV_KEPT_PIXELS_H

#include "kernels/conv/pixel_lanes.h"

/* Pixels of a tile whose elements are kept, and the most terms: with so many the copy is still in
 * the first-level cache. */
enum {
    KEEPS_PIXELS = TILE_BY_SET(0, 1, 0),
    KEPT_PIXELS = ADJACENT_VECTORS * LANES,
    KEPT_TERMS = NEAR_TERMS
};

/* Whether tiles of KEPT_PIXELS keep their elements: only whole tiles of filters read them, at least
 * two. */
TILE_INLINE bool keeps_pixels(const struct conv_call *call)
{
    const struct conv_shape *s = call->shape;
    const int64_t filters = s->filters / s->groups;
    return KEEPS_PIXELS && s->kernel == 1 && conv_terms(s) <= KEPT_TERMS &&
           filters > ADJACENT_FILTERS && filters % ADJACENT_FILTERS == 0;
}

/* Where the elements are that a pass of filters prefetches of the next tile of pixels, one line of
 * each term: three vectors take one or two lines that the tile before does not have. NULL: none. */
TILE_INLINE const float *prefetched_in_pass(const struct adjacent *p, int64_t pass)
{
    return pass == 1 ? p->next + LANES : pass == 2 ? p->next + KEPT_PIXELS - 1 : NULL;
}

/* Stores the sums. `added` (there is a residual) and `clamped` are constants wherever this is
 * inlined. */
TILE_INLINE void store_kept(const struct stored *s, struct clamp_limits end,
                            vec sums[][ADJACENT_VECTORS], bool added, bool clamped)
{
    float *to = s->to;
    const float *from = s->added;
    end.clamped = clamped;
    VECTOR_UNROLLED
    for (int i = 0; i < ADJACENT_FILTERS; i++, to += s->plane, from += added ? s->added_plane : 0)
        for (int v = 0; v < ADJACENT_VECTORS; v++) {
            const vec x = added ? vec_add(sums[i][v], vec_load(from + v * LANES)) : sums[i][v];
            vec_store(to + v * LANES, apply_clamp(&end, x));
        }
}

TILE_INLINE void store_kept_sums(const struct adjacent *p, int64_t filter,
                                 vec sums[][ADJACENT_VECTORS])
{
    const struct clamp_limits end = clamp_limits_of(p->call);
    const struct stored at = stored_at(p, filter);
    if (at.added && end.clamped)
        store_kept(&at, end, sums, true, true);
    else if (at.added)
        store_kept(&at, end, sums, true, false);
    else if (end.clamped)
        store_kept(&at, end, sums, false, true);
    else
        store_kept(&at, end, sums, false, false);
}

/* Sums and stores ADJACENT_FILTERS filters, the first of which is f->first + first, and whose
 * weights begin at `packed`; copies the elements, or reads the copy and prefetches a line of each
 * term from `next` on (NULL: none). `copies` is a constant wherever this is inlined. */
TILE_INLINE void sum_kept(const struct adjacent *p, const struct some_filters *f, int64_t first,
                          const float *packed, const float *next, bool copies)
{
    vec sums[ADJACENT_FILTERS][ADJACENT_VECTORS];
    float *copy = p->copy;
    const float *from = p->elements, *const past = packed + p->terms * TILE_COLS;
    const int64_t apart = copies || next ? p->apart : 0;
    next = next ? next : copy;
    VECTOR_UNROLLED
    for (int i = 0; i < ADJACENT_FILTERS; i++)
        for (int v = 0; v < ADJACENT_VECTORS; v++)
            sums[i][v] = vec_all(f->bias[first + i]);
    for (; packed < past; packed += TILE_COLS, copy += KEPT_PIXELS) {
        vec elements[ADJACENT_VECTORS];
        for (int v = 0; v < ADJACENT_VECTORS; v++)
            elements[v] = vec_keep(vec_load((copies ? from : copy) + v * LANES));
        if (copies) {
            for (int v = 0; v < ADJACENT_VECTORS; v++)
                vec_store(copy + v * LANES, elements[v]);
            from += apart;
        } else {
            __builtin_prefetch(next, 0, 2);
            next += apart;
        }
        VECTOR_UNROLLED
        for (int i = 0; i < ADJACENT_FILTERS; i++)
            for (int v = 0; v < ADJACENT_VECTORS; v++)
                sums[i][v] = vec_multiply_add(vec_all(packed[i]), elements[v], sums[i][v]);
    }
    store_kept_sums(p, f->first + first, sums);
}

/* Both are functions of their own: in a larger one too few registers are left for the sums. */
static __attribute__((noinline, unused)) void
sum_copying(const struct adjacent *p, const struct some_filters *f, const float *packed)
{
    sum_kept(p, f, 0, packed, NULL, true);
}

static __attribute__((noinline, unused)) void sum_copied(const struct adjacent *p,
                                                         const struct some_filters *f,
                                                         int64_t first, const float *packed,
                                                         const float *next)
{
    sum_kept(p, f, first, packed, next, false);
}

/* Sums a micro-panel of filters from filter `begun` of the group on. */
static void sum_kept_micro_panel(const struct adjacent *p, const struct some_filters *f,
                                 const float *packed, int64_t begun)
{
    for (int64_t i = 0; i < f->count; i += ADJACENT_FILTERS)
        if (begun + i == 0)
            sum_copying(p, f, packed);
        else
            sum_copied(p, f, i, packed + i, prefetched_in_pass(p, (begun + i) / ADJACENT_FILTERS));
}

#endif
