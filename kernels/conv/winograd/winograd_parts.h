/* Sums of products in parts of a few terms each, which round less than one sum of all terms.
 * Included once per instruction set. */
#ifndef MAXPOOL_CONV_WINOGRAD_PARTS_H
#define MAXPOOL_CONV_WINOGRAD_PARTS_H

#include "kernels/conv/filter_lanes.h"

/* Adds up terms [begin, end) of a tile. `height` and `vectors` are constants wherever this and the
 * next function are inlined. */
TILE_INLINE void sum_part(const struct pixel_tile *t, int64_t begin, int64_t end,
                          vec sums[PARTS_TALLEST][TILE_VECTORS], int height, int vectors)
{
    const float *next = t->next + begin * t->per_term;
    clear_sums(sums, height);
    for (int64_t k = begin; k < end; k++, next += t->per_term) {
        __builtin_prefetch(next, 0, 2);
        __builtin_prefetch(next + t->per_term / 2, 0, 2); /* up to TILE_COLS floats: two lines */
        add_pixel_term(t, k, sums, height, vectors, 1);
    }
}

/* Sums the terms of a tile in partial sums of `part` terms. */
TILE_INLINE void sum_parts(const struct pixel_tile *t, int64_t part, int height, int vectors)
{
    vec total[PARTS_TALLEST][TILE_VECTORS];
    sum_part(t, 0, smaller(part, t->terms), total, height, vectors);
    for (int64_t begin = part; begin < t->terms; begin += part) {
        vec sums[PARTS_TALLEST][TILE_VECTORS];
        sum_part(t, begin, smaller(begin + part, t->terms), sums, height, vectors);
        VECTOR_UNROLLED
        for (int i = 0; i < height; i++)
            for (int v = 0; v < vectors; v++)
                total[i][v] = vec_add(total[i][v], sums[i][v]);
    }
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < vectors; v++)
            vec_store(t->sums + i * t->step + v * LANES, total[i][v]);
}

TILE_INLINE void sum_parts_of_height(const struct pixel_tile *t, int64_t part, int64_t height,
                                     int vectors)
{
    switch (height) {
    case 1:
        sum_parts(t, part, 1, vectors);
        break;
    case 2:
        sum_parts(t, part, 2, vectors);
        break;
    case 3:
        sum_parts(t, part, 3, vectors);
        break;
    case 4:
        sum_parts(t, part, 4, vectors);
        break;
    case 5:
        sum_parts(t, part, 5, vectors);
        break;
    case 6:
        sum_parts(t, part, 6, vectors);
        break;
    default:
        sum_parts(t, part, PARTS_TALLEST, vectors);
    }
}

static void sum_parts_of_micro_panel(const struct pixel_tile *t, int64_t part, int64_t height)
{
    sum_parts_of_height(t, part, height, TILE_VECTORS);
}

static void sum_parts_of_half(const struct pixel_tile *t, int64_t part, int64_t height)
{
    sum_parts_of_height(t, part, height, 1);
}

/* Like sum_all_pixels at stride 1, in partial sums of `part` terms. All sums begin with 0, and no
 * term is skipped: ignores start, run and gap. */
static void sum_all_in_parts(struct pixel_tile *t, int64_t part, int64_t pixels, int64_t filters)
{
    int64_t tiles = (pixels + PARTS_TALLEST - 1) / PARTS_TALLEST;
    t->per_term = floats_per_term(t->share, tiles * t->terms);
    for (; tiles > 0; tiles--) {
        const int64_t height = (pixels + tiles - 1) / tiles;
        if (filters > LANES)
            sum_parts_of_micro_panel(t, part, height);
        else
            sum_parts_of_half(t, part, height);
        t->elements += height;
        t->next += t->per_term * t->terms;
        t->sums += height * t->step;
        pixels -= height;
    }
}

#endif
