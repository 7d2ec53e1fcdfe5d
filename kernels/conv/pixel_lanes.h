/* The register tile of convolutions whose lanes are pixels: neighbouring outputs of one row by a
 * few filters. Outputs are stored where they belong as they leave the registers; in the tile of
 * conv/filter_lanes.h, whose lanes are filters, they have to be turned round, which takes as long
 * as some terms do. But filters come in round numbers and pixels do not: which tile is the faster
 * one hangs on the shape. Each sums the terms of an output in their order, so that both give the
 * same bits. Included once per instruction set. */
#ifndef MAXPOOL_CONV_PIXEL_LANES_H
#define MAXPOOL_CONV_PIXEL_LANES_H

#include "kernels/conv/filter_lanes.h"

/* Filters at a time, and fewer of them for the last ones; and the terms that turning the outputs
 * round is charged with: few, as vectors that are not full cost more than whole ones here. */
enum {
    ADJACENT_FILTERS = VECTOR_REGISTERS >= 32 ? 8
                       : TILE_COLS < 4        ? TILE_COLS
                                              : 4,
    ADJACENT_FEW = ADJACENT_FILTERS >= 8 ? 2 : 1,
    TURNING_TERMS = 2
};
_Static_assert((int)TILE_COLS % ADJACENT_FILTERS == 0, "no tile reaches beyond its micro-panel");

/* At most TILE_COLS neighbouring outputs of the map, from (row, col) on. Term t of the first one is
 * cells[at[t]], that of the next one the float behind it. */
struct adjacent {
    const struct conv_call *call;
    const float *cells;
    const int32_t *at;
    int64_t terms;
    int64_t row, col, count;
};

/* Whether pixels are the better lanes for rows of so many outputs: vectors that are not full count
 * as whole ones. */
TILE_INLINE bool prefers_adjacent(int64_t pixels, int64_t filters, int64_t terms)
{
    const int64_t of_pixels = (pixels + LANES - 1) / LANES;
    const int64_t of_filters = (filters + LANES - 1) / LANES;
    return (double)of_pixels * (double)filters * (double)terms <=
           (double)of_filters * (double)pixels * (double)(terms + TURNING_TERMS);
}

/* The cells of one term: as many vectors as lanes are asked for; `whole`: all are. */
TILE_INLINE void load_adjacent(const struct adjacent *p, int64_t term, int vectors, bool whole,
                               vec cells[TILE_VECTORS])
{
    const float *from = p->cells + p->at[term];
    for (int64_t v = 0; v < vectors; v++)
        cells[v] = whole ? vec_load(from + v * LANES)
                         : vec_load_part(from + v * LANES, smaller(p->count - v * LANES, LANES),
                                         vec_zero());
}

/* The outputs of one filter, finished. */
TILE_INLINE void store_adjacent(const struct adjacent *p, int64_t filter,
                                const vec sums[TILE_VECTORS], int vectors, bool whole)
{
    const struct conv_call *call = p->call;
    const float *added = residual_at(call, filter, p->row, p->col);
    float *to = map_row(&call->map, p->row) + filter * call->map.plane_stride + p->col;
    for (int64_t v = 0; v < vectors; v++) {
        const int64_t at = v * LANES, n = whole ? LANES : smaller(p->count - at, LANES);
        const vec x = finished(call, sums[v], added ? added + at : NULL, n);
        if (whole)
            vec_store(to + at, x);
        else
            vec_store_part(to + at, x, n);
    }
}

/* `height` filters from `filter` on, of which `count` are there: of term t those at
 * packed[t * TILE_COLS]. Height, vectors and whether they are whole are constants wherever this is
 * inlined. */
TILE_INLINE void sum_adjacent(const struct adjacent *p, const struct some_filters *f, int64_t first,
                              const float *packed, int height, int vectors, bool whole)
{
    vec sums[ADJACENT_FILTERS][TILE_VECTORS];
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < vectors; v++)
            sums[i][v] = vec_all(f->bias[first + i]);
    for (int64_t t = 0; t < p->terms; t++, packed += TILE_COLS) {
        vec cells[TILE_VECTORS];
        load_adjacent(p, t, vectors, whole, cells);
        add_term(sums, packed, 1, cells, height, vectors);
    }
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        if (first + i < f->count)
            store_adjacent(p, f->first + first + i, sums[i], vectors, whole);
}

/* A micro-panel of filters, a few at a time; of the last ones as few as there may be. */
TILE_INLINE void sum_filters_of_height(const struct adjacent *p, const struct some_filters *f,
                                       const float *packed, int vectors, bool whole)
{
    int64_t i = 0;
    for (; f->count - i > ADJACENT_FILTERS / 2; i += ADJACENT_FILTERS)
        sum_adjacent(p, f, i, packed + i, ADJACENT_FILTERS, vectors, whole);
    for (; i < f->count; i += ADJACENT_FEW)
        sum_adjacent(p, f, i, packed + i, ADJACENT_FEW, vectors, whole);
}

static void sum_adjacent_micro_panel(const struct adjacent *p, const struct some_filters *f,
                                     const float *packed)
{
    if (p->count >= TILE_COLS)
        sum_filters_of_height(p, f, packed, TILE_VECTORS, true);
    else if (p->count > LANES)
        sum_filters_of_height(p, f, packed, TILE_VECTORS, false);
    else
        sum_filters_of_height(p, f, packed, 1, false);
}

#endif
