/* The register tile of kernels/conv/filter_lanes.h where many filters pass over windows of a single
 * element: the elements of a tile of pixels are first copied, one term after the other. In the
 * image the terms of a pixel are a plane apart, so that each takes a cache line for itself, and no
 * prefetcher follows them. The sums have the same terms in the same order. Included once per
 * instruction set. */
#ifndef MAXPOOL_CONV_PACKED_PIXELS_H
#define MAXPOOL_CONV_PACKED_PIXELS_H

#include "kernels/conv/bands.h"
#include "kernels/conv/filter_lanes.h"

#include <string.h>

/* Copying an element takes about as long as multiplying it with a sixth of a micro-panel: so many
 * filters make that little. On maps of few pixels fewer suffice. */
enum {
    PACKS_PIXELS = TILE_BY_SET(0, 1, 0),
    LEAST_PACKED = 128,
    LEAST_PACKED_OF_FEW = 64,
    FEW_PIXELS = 64
};

/* Copies `terms` terms of the pixels of a tile, which are `plane` floats apart. */
TILE_INLINE void pack_tile(const float *const *pixels, int64_t plane, int64_t terms, int64_t height,
                           float *to)
{
    const float *first = pixels[0];
    if (pixels[height - 1] == first + height - 1)
        for (int64_t t = 0; t < terms; t++, to += height, first += plane)
            memcpy(to, first, (size_t)height * sizeof *to);
    else
        for (int64_t t = 0; t < terms; t++, to += height)
            for (int64_t i = 0; i < height; i++)
                to[i] = pixels[i][t * plane];
}

/* Packs `count` pixels, whose first has its elements at `from`, tile by tile: count x terms
 * floats. */
TILE_INLINE void pack_pixels(struct scattered s, const float *from, int64_t plane, int64_t terms,
                             int64_t count, float *to)
{
    for (int64_t height; count > 0; count -= height, to += height * terms) {
        const float *pixels[TILE_TALLEST];
        height = even_part(count, TILE_TALLEST);
        next_scattered(&s, from, height, pixels);
        if (height == TILE_TALLEST)
            pack_tile(pixels, plane, terms, TILE_TALLEST, to);
        else if (height == TILE_TALLEST - 1)
            pack_tile(pixels, plane, terms, TILE_TALLEST - 1, to);
        else
            pack_tile(pixels, plane, terms, height, to);
    }
}

/* Sums all terms of one tile, whose runs have no gaps. */
TILE_INLINE void sum_packed(const struct pixel_tile *t, int height, int vectors)
{
    vec sums[TILE_TALLEST][TILE_VECTORS];
    const float *a = t->elements, *b = t->filters, *next = t->next;
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < vectors; v++)
            sums[i][v] = vec_load((t->start ? t->start : t->sums + i * t->step) + v * LANES);
    for (const float *const end = b + t->terms * TILE_COLS; b < end; b += TILE_COLS, a += height) {
        vec filters[TILE_VECTORS];
        for (int v = 0; v < vectors; v++)
            filters[v] = vec_load(b + v * LANES);
        __builtin_prefetch(next, 0, 2);
        next += t->per_term;
        add_term(sums, a, 1, filters, height, vectors);
    }
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < vectors; v++)
            vec_store(t->sums + i * t->step + v * LANES, sums[i][v]);
}

TILE_INLINE void sum_packed_of_height(const struct pixel_tile *t, int64_t height, int vectors)
{
    switch (height) {
    case 1:
        sum_packed(t, 1, vectors);
        break;
    case 2:
        sum_packed(t, 2, vectors);
        break;
    case 3:
        sum_packed(t, 3, vectors);
        break;
    case 4:
        sum_packed(t, 4, vectors);
        break;
    case 5:
        sum_packed(t, 5, vectors);
        break;
    default:
        sum_packed(t, TILE_TALLEST, vectors);
    }
}

static void sum_packed_micro_panel(const struct pixel_tile *t, int64_t height)
{
    sum_packed_of_height(t, height, TILE_VECTORS);
}

static void sum_packed_half(const struct pixel_tile *t, int64_t height)
{
    sum_packed_of_height(t, height, 1);
}

/* Sums terms [first, first + t->terms) of `count` pixels that are packed with `all` terms: the same
 * as sum_all_pixels(). */
TILE_INLINE void sum_all_packed(struct pixel_tile *t, const float *packed, int64_t first,
                                int64_t all, int64_t count, int64_t filters)
{
    t->per_term = floats_per_term(t->share, (count + TILE_TALLEST - 1) / TILE_TALLEST * t->terms);
    for (int64_t height; count > 0; count -= height, packed += height * all) {
        height = even_part(count, TILE_TALLEST);
        t->elements = packed + first * height;
        if (filters <= LANES)
            sum_packed_half(t, height);
        else
            sum_packed_micro_panel(t, height);
        t->next += t->per_term * t->terms;
        t->sums += height * t->step;
    }
}

#endif
