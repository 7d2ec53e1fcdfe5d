/* The register tile of convolutions whose lanes are pixels: adjacent outputs of one row by a few
 * filters. Outputs leave the registers in the order of the map; the tile of conv/filter_lanes.h,
 * whose lanes are filters, has to transpose them, which takes as long as some terms do. But filters
 * usually fill whole vectors and pixels do not, so which tile is faster depends on the shape. Both
 * sum the terms of an output in their order, so their results are bitwise equal. Included once per
 * instruction set. */
#ifndef MAXPOOL_CONV_PIXEL_LANES_H
#define MAXPOOL_CONV_PIXEL_LANES_H

#include "kernels/conv/filter_lanes.h"

/* A tile has ADJACENT_FILTERS filters (ADJACENT_FEW for the last ones) and at most ADJACENT_VECTORS
 * vectors of pixels: beginning and ending a tile takes time, so with few terms a large tile is the
 * faster one. TURNING_TERMS: how many terms the estimate charges for transposing outputs; few, as
 * vectors that are not full cost more than whole ones here. NEAR_TERMS: terms whose elements stay
 * in the first-level cache while all filters pass over them.
 *
 * JOINS_ROWS: rows that do not fill their vectors, and are not adjacent in the image, are copied
 * one after the other and computed as one row, if filters are not the better lanes for them. The
 * estimate charges COPYING_FILTERS filters for copying an element, and TURNING_ALL terms for
 * beginning, ending and transposing a tile whose lanes are filters. */
enum {
    ADJACENT_FEW = ADJACENT_FILTERS >= 8 ? 2 : 1,
    TURNING_TERMS = 2,
    NEAR_TERMS = 4096 / TILE_COLS,
    JOINS_ROWS = TILE_BY_SET(0, 1, 0),
    COPYING_FILTERS = 4,
    TURNING_ALL = 12
};
_Static_assert((int)TILE_COLS % ADJACENT_FILTERS == 0, "no tile reaches beyond its micro-panel");

/* Where a vector of joined rows goes, in floats from the tile's first output: lanes [0, cut) begin
 * at `first`; lane i of the others is at rest + i, in the next row. */
struct place {
    int64_t cut, first, rest;
};

/* At most ADJACENT_VECTORS vectors of adjacent outputs of the map, from (row, col) on. Term t of
 * the first output is elements[at[t]], or elements[t * apart] if apart > 0; those of the next
 * outputs follow it. `crosses`: they reach into the next rows of the map, at `to` in it and at
 * `added` in the residual. */
struct adjacent {
    const struct conv_call *call;
    const float *elements;
    const int32_t *at;
    int64_t terms, apart;
    int64_t row, col, count;
    bool crosses;
    bool wide;         /* whole vectors that a tile of conv/wide_pixels.h takes */
    float *copy;       /* where a tile of conv/kept_pixels.h keeps the elements, or NULL */
    const float *next; /* the elements of the next tile, which it prefetches */
    struct place to[ADJACENT_VECTORS], added[ADJACENT_VECTORS];
};

/* Multiply-adds of vectors that some outputs take. If filters are the lanes, these include the time
 * of transposing; if pixels are, vectors that are not full count as whole ones. A single pixel by a
 * micro-panel has too few sums to keep the units busy, and takes as long as two. */
TILE_INLINE double work_by_filters(int64_t pixels, int64_t filters, int64_t terms)
{
    const int64_t vectors = (filters + LANES - 1) / LANES;
    return (double)vectors * (double)(pixels == 1 ? 2 : pixels) * (double)(terms + TURNING_TERMS);
}

TILE_INLINE double work_by_pixels(int64_t pixels, int64_t filters, int64_t terms)
{
    const int64_t vectors = (pixels + LANES - 1) / LANES;
    return (double)vectors * (double)filters * (double)terms;
}

/* How many pixels of a row follow the last whole vector, if filters are the better lanes for them
 * alone; otherwise 0. */
TILE_INLINE int64_t pixels_left(int64_t pixels, int64_t filters, int64_t terms)
{
    const int64_t left = pixels % LANES;
    const bool better = terms <= NEAR_TERMS && work_by_filters(left, filters, terms) <
                                                   work_by_pixels(left, filters, terms);
    return better ? left : 0;
}

/* Whether pixels are the better lanes for rows of `pixels` outputs, except for the last `left`. */
TILE_INLINE bool prefers_adjacent(int64_t pixels, int64_t left, int64_t filters, int64_t terms)
{
    const double behind = left > 0 ? work_by_filters(left, filters, terms) : 0.0;
    return work_by_pixels(pixels - left, filters, terms) + behind <=
           work_by_filters(pixels, filters, terms);
}

/* Whether the rows of the call are better computed as one row of adjacent pixels than with filters
 * as lanes, although their elements have to be copied for that. At stride 2 copying takes longer,
 * and rows that are apart in the map have to be long, since vectors of outputs cross them. */
TILE_INLINE bool prefers_joined(const struct conv_call *call, int64_t filters, int64_t terms)
{
    const int64_t cols = call->shape->out_cols, stride = call->shape->stride;
    const bool apart = call->map.row_stride > cols;
    if (!JOINS_ROWS || cols < LANES || terms > NEAR_TERMS || (stride == 1 && cols % LANES == 0) ||
        (stride == 2 && apart && cols < ADJACENT_VECTORS * LANES))
        return false;
    return work_by_pixels(call->rows * cols, filters + COPYING_FILTERS * stride, terms) <=
           work_by_filters(call->rows * cols, filters, terms + TURNING_ALL - TURNING_TERMS);
}

/* The number of pixels in the next tile of `pixels` in a row: tiles are nearly equally wide. */
TILE_INLINE int64_t pixels_of_tile(int64_t pixels)
{
    const int64_t vectors = (pixels + LANES - 1) / LANES;
    const int64_t tiles = (vectors + ADJACENT_VECTORS - 1) / ADJACENT_VECTORS;
    return smaller((vectors + tiles - 1) / tiles * LANES, pixels);
}

/* Whether all lanes of vector v are known to have outputs. `whole`: those of all vectors have;
 * otherwise only the last one may have lanes without. Where lanes left out are free, all vectors
 * are treated like it. */
TILE_INLINE bool is_whole(int64_t v, int vectors, bool whole)
{
    return whole || (VECTOR_PICKS != 1 && v + 1 < vectors);
}

/* Finds the places of the outputs of a tile which begins at column `col` of rows of `cols` outputs,
 * `stride` floats apart. */
TILE_INLINE void find_places(struct place *places, int64_t col, int64_t cols, int64_t stride)
{
    int64_t x = col, row = 0;
    for (int v = 0; v < ADJACENT_VECTORS; v++, x += LANES) {
        if (x >= cols) {
            x -= cols;
            row += stride;
        }
        const int64_t cut = smaller(LANES, cols - x);
        places[v] = (struct place){cut, row + x - col, row + stride - col - cut};
    }
}

/* Loads the elements of one term, `vectors` vectors. */
TILE_INLINE void load_adjacent(const struct adjacent *p, const float *from, int vectors, bool whole,
                               vec elements[ADJACENT_VECTORS])
{
    for (int64_t v = 0; v < vectors; v++)
        elements[v] =
            is_whole(v, vectors, whole)
                ? vec_load(from + v * LANES)
                : vec_load_part(from + v * LANES, smaller(p->count - v * LANES, LANES), vec_zero());
}

/* Where the outputs of a filter are stored, and their residual (or NULL); those of the next filter
 * are `plane` and `added_plane` floats further. */
struct stored {
    float *to;
    const float *added;
    int64_t plane, added_plane;
};

TILE_INLINE struct stored stored_at(const struct adjacent *p, int64_t filter)
{
    const struct conv_call *call = p->call;
    const int64_t plane = call->map.plane_stride;
    return (struct stored){map_row(&call->map, p->row) + filter * plane + p->col,
                           residual_at(call, filter, p->row, p->col), plane,
                           call->finish.residual.plane_stride};
}

/* Applies the epilogue to the outputs of one filter and stores them. */
TILE_INLINE void store_adjacent(const struct stored *s, const struct clamp_limits *e, int64_t count,
                                const vec sums[ADJACENT_VECTORS], int vectors, bool whole)
{
    for (int64_t v = 0; v < vectors; v++) {
        const int64_t at = v * LANES;
        const bool all = is_whole(v, vectors, whole);
        const int64_t n = all ? LANES : smaller(count - at, LANES);
        const vec x = add_and_clamp(e, sums[v], s->added ? s->added + at : NULL, n);
        if (all)
            vec_store(s->to + at, x);
        else
            vec_store_part(s->to + at, x, n);
    }
}

/* Stores vector x of `n` outputs of joined rows: whole, or in two rows. */
TILE_INLINE void store_in_rows(float *to, const struct place *at, vec x, int64_t n)
{
    const int64_t cut = smaller(at->cut, n);
    if (cut == LANES) {
        vec_store(to + at->first, x);
        return;
    }
    vec_store_part(to + at->first, x, cut);
    vec_store_lanes(to + at->rest, x, cut, n);
}

/* Their residual. */
TILE_INLINE vec load_from_rows(const float *from, const struct place *at, int64_t n)
{
    const int64_t cut = smaller(at->cut, n);
    return vec_load_lanes(from + at->rest, cut, n,
                          vec_load_part(from + at->first, cut, vec_zero()));
}

/* The same as store_adjacent() for outputs that cross rows. */
TILE_INLINE void store_crossing(const struct stored *s, const struct adjacent *p,
                                const struct clamp_limits *e, const vec sums[ADJACENT_VECTORS],
                                int vectors, bool whole)
{
    for (int v = 0; v < vectors; v++) {
        const int64_t n = whole ? LANES : smaller(p->count - v * LANES, LANES);
        vec x = sums[v];
        if (s->added)
            x = vec_add(x, load_from_rows(s->added, &p->added[v], n));
        store_in_rows(s->to, &p->to[v], apply_clamp(e, x), n);
    }
}

/* Adds one term, whose elements begin at `from` and whose weights at `packed`. */
TILE_INLINE void add_adjacent(const struct adjacent *p, const float *from, const float *packed,
                              vec sums[][ADJACENT_VECTORS], int height, int vectors, bool whole)
{
    vec elements[ADJACENT_VECTORS];
    load_adjacent(p, from, vectors, whole, elements);
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < vectors; v++)
            sums[i][v] = vec_multiply_add(vec_all(packed[i]), elements[v], sums[i][v]);
}

/* Sums and stores `height` filters of the micro-panel from `first` on, of which f->count exist;
 * their weights of term t begin at packed[t * TILE_COLS]. `apart`: terms are p->apart floats apart,
 * and outputs may cross rows. Height, vectors, `whole` and `apart` are constants wherever this is
 * inlined. */
TILE_INLINE void sum_adjacent(const struct adjacent *p, const struct some_filters *f, int64_t first,
                              const float *packed, int height, int vectors, bool whole, bool apart)
{
    vec sums[ADJACENT_FILTERS][ADJACENT_VECTORS];
    const float *from = p->elements, *const past = packed + p->terms * TILE_COLS;
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < vectors; v++)
            sums[i][v] = vec_all(f->bias[first + i]);
    for (; apart && packed < past; packed += TILE_COLS, from += p->apart)
        add_adjacent(p, from, packed, sums, height, vectors, whole);
    for (int64_t t = 0; !apart && t < p->terms; t++, packed += TILE_COLS)
        add_adjacent(p, p->elements + p->at[t], packed, sums, height, vectors, whole);
    const struct clamp_limits end = clamp_limits_of(p->call);
    struct stored at = stored_at(p, f->first + first);
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++) {
        if (apart && p->crosses && first + i < f->count)
            store_crossing(&at, p, &end, sums[i], vectors, whole);
        else if (first + i < f->count)
            store_adjacent(&at, &end, p->count, sums[i], vectors, whole);
        at.to += at.plane;
        at.added = at.added ? at.added + at.added_plane : NULL;
    }
}

/* Sums a micro-panel of filters, ADJACENT_FILTERS at a time; the last ones ADJACENT_FEW at a
 * time. */
TILE_INLINE void sum_filters_of_height(const struct adjacent *p, const struct some_filters *f,
                                       const float *packed, int vectors, bool whole, bool apart)
{
    int64_t i = 0;
    for (; f->count - i > ADJACENT_FILTERS / 2; i += ADJACENT_FILTERS)
        sum_adjacent(p, f, i, packed + i, ADJACENT_FILTERS, vectors, whole, apart);
    for (; i < f->count; i += ADJACENT_FEW)
        sum_adjacent(p, f, i, packed + i, ADJACENT_FEW, vectors, whole, apart);
}

TILE_INLINE void sum_micro_panel_of_pixels(const struct adjacent *p, const struct some_filters *f,
                                           const float *packed, bool apart)
{
    const bool whole = p->count % LANES == 0;
    if (p->count > TILE_COLS && whole)
        sum_filters_of_height(p, f, packed, ADJACENT_VECTORS, true, apart);
    else if (p->count > TILE_COLS)
        sum_filters_of_height(p, f, packed, ADJACENT_VECTORS, false, apart);
    else if (p->count > LANES && whole)
        sum_filters_of_height(p, f, packed, TILE_VECTORS, true, apart);
    else if (p->count > LANES)
        sum_filters_of_height(p, f, packed, TILE_VECTORS, false, apart);
    else
        sum_filters_of_height(p, f, packed, 1, false, apart);
}

static void sum_micro_panel_at(const struct adjacent *p, const struct some_filters *f,
                               const float *packed)
{
    sum_micro_panel_of_pixels(p, f, packed, false);
}

static void sum_micro_panel_apart(const struct adjacent *p, const struct some_filters *f,
                                  const float *packed)
{
    sum_micro_panel_of_pixels(p, f, packed, true);
}

static void sum_adjacent_micro_panel(const struct adjacent *p, const struct some_filters *f,
                                     const float *packed)
{
    if (JOINS_ROWS && p->apart > 0)
        sum_micro_panel_apart(p, f, packed);
    else
        sum_micro_panel_at(p, f, packed);
}

#endif
