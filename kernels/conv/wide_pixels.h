/* The register tile of kernels/conv/pixel_lanes.h where windows are single elements and have few
 * terms: three filters by four vectors of pixels, in AVX2. Three weights and one vector of elements
 * are in registers beside the sums; four vectors are two whole cache lines of each plane; and
 * nothing is asked between the stores. With more terms the elements of so many pixels, and the
 * weights, do not stay in the first-level cache. The sums have the same terms in the same order.
 * Included once per instruction set. */
#ifndef MAXPOOL_CONV_WIDE_PIXELS_H
#define MAXPOOL_CONV_WIDE_PIXELS_H

#include "kernels/conv/pixel_lanes.h"

/* The most terms; those where one tile is a short row; the longest such row; and the least filters:
 * of 16, the last four in two tiles take longer. */
enum {
    WIDE_TERMS = TILE_BY_SET(0, 64, 0),
    WIDE_TERMS_OF_ROW = 128,
    MOST_ROW = 16,
    LEAST_WIDE = 24,
    WIDE_FILTERS = 3,
    WIDE_VECTORS = 4
};

/* Filters of a tile, from `first` of the map on. Their weights of the first term are packed[0],
 * packed[middle] and packed[last], since three filters may be in two micro-panels; those of the
 * next term are TILE_COLS floats further. */
struct wide_filters {
    int64_t first;
    const float *bias, *packed;
    int64_t middle, last;
};

/* Whether tiles are wide: single elements of few terms, whose outputs have no residual. */
TILE_INLINE bool takes_wide_tiles(const struct conv_call *call)
{
    const struct conv_shape *s = call->shape;
    return WIDE_TERMS > 0 && s->kernel == 1 && conv_terms(s) <= WIDE_TERMS &&
           s->filters / s->groups >= LEAST_WIDE && !call->finish.residual.data;
}

/* Whether the next tile of a row of `pixels`, which other tiles would leave with two vectors, is a
 * wide one, and the others have three: single elements of more terms, whose row is contiguous in
 * the image. */
TILE_INLINE bool one_wide_tile(const struct conv_call *call, int64_t pixels)
{
    const struct conv_shape *s = call->shape;
    const int64_t vectors = pixels / LANES;
    return WIDE_TERMS > 0 && s->kernel == 1 && conv_terms(s) <= WIDE_TERMS_OF_ROW &&
           s->filters / s->groups >= LEAST_WIDE && !call->finish.residual.data &&
           pixels % LANES == 0 && vectors <= MOST_ROW && vectors % ADJACENT_VECTORS == 1 &&
           vectors >= WIDE_VECTORS && call->image.plane_stride <= call->image.row_stride;
}

/* The pixels of the next wide tile of `pixels` in a row: whole vectors, nearly equally many. */
TILE_INLINE int64_t pixels_of_wide_tile(int64_t pixels)
{
    const int64_t vectors = pixels / LANES, tiles = (vectors + WIDE_VECTORS - 1) / WIDE_VECTORS;
    return (vectors + tiles - 1) / tiles * LANES;
}

/* How many of the `left` last filters the next tile has: three; but two tiles of two instead of
 * three and one, since four sums alone would wait for each other. */
TILE_INLINE int64_t filters_of_tile(int64_t left)
{
    return left == 2 || left == 4 ? 2 : smaller(left, WIDE_FILTERS);
}

/* The filters of a group from number f of it on; `first` is the group's first one, whose weights
 * begin at `packed`. */
TILE_INLINE struct wide_filters wide_filters_from(const struct adjacent *p, int64_t first,
                                                  const float *packed, int64_t f)
{
    const int64_t in_panel = f % TILE_COLS, next_panel = TILE_COLS * (p->terms - 1);
    const float *bias = p->call->bias;
    return (struct wide_filters){.first = first + f,
                                 .bias = bias ? bias + first + f : NULL,
                                 .packed = packed + (f - in_panel) * p->terms + in_panel,
                                 .middle = 1 + (in_panel + 1 < TILE_COLS ? 0 : next_panel),
                                 .last = 2 + (in_panel + 2 < TILE_COLS ? 0 : next_panel)};
}

/* Adds one term, whose elements begin at `from` and whose weights at `packed`. */
TILE_INLINE void add_wide(const float *from, const struct wide_filters *f, const float *packed,
                          vec sums[][WIDE_VECTORS], int height, int vectors)
{
    const int64_t at[WIDE_FILTERS] = {0, f->middle, f->last};
    vec weights[WIDE_FILTERS];
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        weights[i] = vec_all(packed[at[i]]);
    VECTOR_UNROLLED
    for (int v = 0; v < vectors; v++) {
        const vec elements = vec_keep(vec_load(from + v * LANES));
        VECTOR_UNROLLED
        for (int i = 0; i < height; i++)
            sums[i][v] = vec_multiply_add(weights[i], elements, sums[i][v]);
    }
}

/* Stores the sums. `clamped` is a constant wherever this is inlined. */
TILE_INLINE void store_wide(const struct adjacent *p, int64_t filter, vec sums[][WIDE_VECTORS],
                            int height, int vectors, bool clamped)
{
    const struct map_view *map = &p->call->map;
    float *to = map_row(map, p->row) + filter * map->plane_stride + p->col;
    const int64_t plane = map->plane_stride;
    struct clamp_limits end = clamp_limits_of(p->call);
    end.clamped = clamped;
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++, to += plane)
        for (int v = 0; v < vectors; v++)
            vec_store(to + v * LANES, apply_clamp(&end, sums[i][v]));
}

/* Sums and stores `height` filters. Height and vectors are constants wherever this is inlined. */
TILE_INLINE void sum_wide(const struct adjacent *p, const struct wide_filters *f, int height,
                          int vectors)
{
    vec sums[WIDE_FILTERS][WIDE_VECTORS];
    const float *from = p->elements, *packed = f->packed;
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < vectors; v++)
            sums[i][v] = vec_all(f->bias ? f->bias[i] : 0.0f);
    for (int64_t t = 0; t < p->terms; t++, packed += TILE_COLS, from += p->apart)
        add_wide(from, f, packed, sums, height, vectors);
    if (p->call->finish.clamped)
        store_wide(p, f->first, sums, height, vectors, true);
    else
        store_wide(p, f->first, sums, height, vectors, false);
}

TILE_INLINE void sum_wide_of_width(const struct adjacent *p, int64_t first, int64_t filters,
                                   const float *packed, int vectors)
{
    for (int64_t f = 0, height; f < filters; f += height) {
        const struct wide_filters w = wide_filters_from(p, first, packed, f);
        height = filters_of_tile(filters - f);
        if (height == WIDE_FILTERS)
            sum_wide(p, &w, WIDE_FILTERS, vectors);
        else if (height == 2)
            sum_wide(p, &w, 2, vectors);
        else
            sum_wide(p, &w, 1, vectors);
    }
}

/* Sums all filters of a group for one to four whole vectors of pixels. `first` is the group's first
 * filter, whose weights begin at `packed`. */
static void sum_wide_tiles(const struct adjacent *p, int64_t first, int64_t filters,
                           const float *packed)
{
    switch (p->count / LANES) {
    case 1:
        sum_wide_of_width(p, first, filters, packed, 1);
        break;
    case 2:
        sum_wide_of_width(p, first, filters, packed, 2);
        break;
    case 3:
        sum_wide_of_width(p, first, filters, packed, 3);
        break;
    default:
        sum_wide_of_width(p, first, filters, packed, WIDE_VECTORS);
    }
}

#endif
