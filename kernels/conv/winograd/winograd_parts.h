/* Sums of products in parts of a few terms each, which round less than one sum of all terms.
 * Included once per instruction set. */
#ifndef MAXPOOL_CONV_WINOGRAD_PARTS_H
#define MAXPOOL_CONV_WINOGRAD_PARTS_H

#include "kernels/conv/filter_lanes.h"

/* Terms of a partial sum. Their number is a constant in the loop over them: the processor then
 * foresees its end. TOTALS_FIT: there are registers for the totals as well. */
enum { PART_TERMS = 16, TOTALS_FIT = VECTOR_REGISTERS >= 32, TERMS_A_STEP = TOTALS_FIT ? 1 : 2 };

/* Where the next partial sum of a tile begins: its elements, which are `apart` floats from term to
 * term, its filters, and what it prefetches. */
struct part {
    const float *elements, *filters, *next;
    int64_t apart, per_term;
};

/* Adds the next term. `height` and `vectors` are constants wherever this and the functions below
 * are inlined. */
TILE_INLINE void add_part_term(struct part *p, vec sums[PARTS_TALLEST][TILE_VECTORS], int height,
                               int vectors)
{
    vec filters[TILE_VECTORS];
    for (int v = 0; v < vectors; v++)
        filters[v] = vec_load(p->filters + v * LANES);
    prefetch_filters(p->filters);
    __builtin_prefetch(p->next, 0, 2);
    if (TILE_COLS > 16) /* up to TILE_COLS floats: two lines */
        __builtin_prefetch(p->next + p->per_term / 2, 0, 2);
    add_term(sums, p->elements, 1, filters, height, vectors);
    p->elements += p->apart;
    p->filters += TILE_COLS;
    p->next += p->per_term;
}

/* Sums the next PART_TERMS terms, or the `left` last ones. */
TILE_INLINE void sum_part(struct part *p, int64_t left, vec sums[PARTS_TALLEST][TILE_VECTORS],
                          int height, int vectors)
{
    clear_sums(sums, height);
    if (left >= PART_TERMS)
        for (int k = 0; k < PART_TERMS; k += TERMS_A_STEP) {
            VECTOR_UNROLLED
            for (int i = 0; i < TERMS_A_STEP; i++)
                add_part_term(p, sums, height, vectors);
        }
    else
        for (; left > 0; left--)
            add_part_term(p, sums, height, vectors);
}

/* Sums the terms of a tile in partial sums, with the totals in registers. */
TILE_INLINE void sum_parts_in_registers(const struct pixel_tile *t, struct part p, int height,
                                        int vectors)
{
    vec total[PARTS_TALLEST][TILE_VECTORS];
    sum_part(&p, t->terms, total, height, vectors);
    for (int64_t left = t->terms - PART_TERMS; left > 0; left -= PART_TERMS) {
        vec sums[PARTS_TALLEST][TILE_VECTORS];
        sum_part(&p, left, sums, height, vectors);
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

/* The same with the totals where they go in the end. */
TILE_INLINE void sum_parts_in_place(const struct pixel_tile *t, struct part p, int height,
                                    int vectors)
{
    float *const to = t->sums;
    const int64_t terms = t->terms, step = t->step;
    for (int64_t left = terms; left > 0; left -= PART_TERMS) {
        vec sums[PARTS_TALLEST][TILE_VECTORS];
        sum_part(&p, left, sums, height, vectors);
        VECTOR_UNROLLED
        for (int i = 0; i < height; i++)
            for (int v = 0; v < vectors; v++) {
                float *const at = to + i * step + v * LANES;
                vec_store(at, left == terms ? sums[i][v] : vec_add(vec_load(at), sums[i][v]));
            }
    }
}

TILE_INLINE void sum_parts(const struct pixel_tile *t, int64_t apart, int height, int vectors)
{
    const struct part p = {t->elements, t->filters, t->next, apart, t->per_term};
    if (TOTALS_FIT)
        sum_parts_in_registers(t, p, height, vectors);
    else
        sum_parts_in_place(t, p, height, vectors);
}

TILE_INLINE void sum_parts_of_height(const struct pixel_tile *t, int64_t apart, int64_t height,
                                     int vectors)
{
    switch (height) {
    case 1:
        sum_parts(t, apart, 1, vectors);
        break;
    case 2:
        sum_parts(t, apart, 2, vectors);
        break;
    case 3:
        sum_parts(t, apart, 3, vectors);
        break;
    case 4:
        sum_parts(t, apart, 4, vectors);
        break;
    case 5:
        sum_parts(t, apart, 5, vectors);
        break;
    case 6:
        sum_parts(t, apart, 6, vectors);
        break;
    default:
        sum_parts(t, apart, PARTS_TALLEST, vectors);
    }
}

static void sum_parts_of_micro_panel(const struct pixel_tile *t, int64_t apart, int64_t height)
{
    sum_parts_of_height(t, apart, height, TILE_VECTORS);
}

static void sum_parts_of_half(const struct pixel_tile *t, int64_t apart, int64_t height)
{
    sum_parts_of_height(t, apart, height, 1);
}

/* Like sum_all_pixels at stride 1, in partial sums. All sums begin with 0, no term is skipped, and
 * terms are `apart` floats apart: ignores start, run, gap and at. */
static void sum_all_in_parts(struct pixel_tile *t, int64_t apart, int64_t pixels, int64_t filters)
{
    int64_t tiles = (pixels + PARTS_TALLEST - 1) / PARTS_TALLEST;
    t->per_term = floats_per_term(t->share, tiles * t->terms);
    for (; tiles > 0; tiles--) {
        const int64_t height = (pixels + tiles - 1) / tiles;
        if (filters > LANES)
            sum_parts_of_micro_panel(t, apart, height);
        else
            sum_parts_of_half(t, apart, height);
        t->elements += height;
        t->next += t->per_term * t->terms;
        t->sums += height * t->step;
        pixels -= height;
    }
}

#endif
