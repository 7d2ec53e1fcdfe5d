/* The register tile of the packed products: TILE_ROWS x TILE_COLS sums stay in registers while
 * their products are added up from packed micro-panels. What is multiplied depends on who packs the
 * micro-panels: matmul/packed.c packs a matrix, conv/implicit.c the windows of an image. */
#ifndef MAXPOOL_MATMUL_TILE_H
#define MAXPOOL_MATMUL_TILE_H

#include "kernels/method_call.h"
#include "kernels/min_max.h"
#include "kernels/register_tiles.h"

#include <stdbool.h>

#define TILE_INLINE VECTOR_TEMPLATE

/* Where the sums of one tile go: `rows` x `cols` elements of C, overwritten or added to. `start`:
 * the initial value of each row's sums (NULL: 0). */
struct corner {
    float *c;
    const float *start;
    int64_t stride;
    int64_t rows, cols;
    bool add;
    const float *next; /* data of later tiles: `per_term` floats are prefetched per term; or NULL */
    int64_t per_term;
};

/* Adds one row of sums to C, or overwrites it: whole vectors, and single lanes where the tile
 * ends. */
TILE_INLINE void store_row(const struct corner *to, const vec sums[TILE_VECTORS], int64_t row)
{
    float *c = to->c + row * to->stride;
    for (int v = 0; v < TILE_VECTORS; v++, c += LANES) {
        const int64_t lanes = smaller(to->cols - v * LANES, LANES);
        if (lanes == LANES)
            vec_store(c, to->add ? vec_add(vec_load(c), sums[v]) : sums[v]);
        else if (lanes > 0 && to->add)
            vec_store_part(c, vec_add(vec_load_part(c, lanes, vec_zero()), sums[v]), lanes);
        else if (lanes > 0)
            vec_store_part(c, sums[v], lanes);
    }
}

/* The steps of a tile: its sums are set to 0; each add_term adds one term, with the elements of A
 * a_stride floats apart and `vectors` vectors of B; and the rows that C has are stored. The height
 * and the vectors are constants wherever these are inlined. */
TILE_INLINE void clear_sums(vec sums[][TILE_VECTORS], int height)
{
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < TILE_VECTORS; v++)
            sums[i][v] = vec_zero();
}

TILE_INLINE void add_term(vec sums[][TILE_VECTORS], const float *a, int64_t a_stride,
                          const vec row[TILE_VECTORS], int height, int vectors)
{
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < vectors; v++)
            sums[i][v] = vec_multiply_add(vec_all(a[i * a_stride]), row[v], sums[i][v]);
}

TILE_INLINE void store_sums(const struct corner *to, const vec sums[][TILE_VECTORS], int height)
{
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        if (i < to->rows)
            store_row(to, sums[i], i);
}

/* Prefetches the micro-panels of a later term, TERMS_AHEAD from now. They stream from the
 * second-level cache, and the hardware prefetcher of the first level stops at the end of a page. */
TILE_INLINE void prefetch_micro_panels(const float *a, int64_t a_step, const float *b,
                                       int64_t b_step)
{
    enum { TERMS_AHEAD = 16, LINE = 16 };
    __builtin_prefetch(a + TERMS_AHEAD * a_step, 0, 3);
    for (int i = 0; i < TILE_COLS; i += LINE)
        __builtin_prefetch(b + TERMS_AHEAD * b_step + i, 0, 3);
}

/* Sums `terms` products into a tile of `height` rows, at most TILE_TALLEST. The height is a
 * constant wherever this is inlined, so that every loop except the one over terms is unrolled and
 * the sums are registers. Per term, `a` has `height` elements and `b` TILE_COLS; the terms are
 * a_step and b_step floats apart. */
TILE_INLINE void tile(const float *a, int64_t a_step, const float *b, int64_t b_step, int64_t terms,
                      const struct corner *to, int height)
{
    vec sums[TILE_TALLEST][TILE_VECTORS];
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < TILE_VECTORS; v++)
            sums[i][v] = to->start && i < to->rows ? vec_all(to->start[i]) : vec_zero();
    const float *next = to->next ? to->next : a; /* already in the cache */
    const int64_t per_term = to->next ? to->per_term : 0;
    for (int64_t k = 0; k < terms; k++, a += a_step, b += b_step, next += per_term) {
        vec row[TILE_VECTORS];
        for (int v = 0; v < TILE_VECTORS; v++)
            row[v] = vec_load(b + v * LANES);
        prefetch_micro_panels(a, a_step, b, b_step);
        __builtin_prefetch(next, 0, 2);
        add_term(sums, a, 1, row, height, TILE_VECTORS);
    }
    store_sums(to, (const vec(*)[TILE_VECTORS])sums, height);
}

/* Floats of the next micro-panel of B to prefetch per term, so that the `tiles` tiles of this one
 * prefetch all of it. */
TILE_INLINE int64_t prefetched_per_term(int64_t tiles)
{
    return (TILE_COLS + tiles - 1) / tiles;
}

/* The height of a micro-panel of A with `rows` rows: TILE_ROWS, and for the last one of a block the
 * least of the possible heights that holds its rows. */
TILE_INLINE int micro_panel_height(int64_t rows)
{
    if (rows > TILE_ROWS / 2)
        return TILE_ROWS;
    return rows > TILE_ROWS / 4 ? TILE_ROWS / 2 : rows > 1 ? TILE_ROWS / 4 : 1;
}

TILE_INLINE void tile_of_height(const float *a, const float *b, int64_t step, int64_t terms,
                                const struct corner *to, int height)
{
    if (height == TILE_ROWS)
        tile(a, TILE_ROWS, b, step, terms, to, TILE_ROWS);
    else if (height == TILE_ROWS / 2)
        tile(a, TILE_ROWS / 2, b, step, terms, to, TILE_ROWS / 2);
    else if (height == TILE_ROWS / 4)
        tile(a, TILE_ROWS / 4, b, step, terms, to, TILE_ROWS / 4);
    else
        tile(a, 1, b, step, terms, to, 1);
}

/* Transposes `rows` rows of `cols` elements, which are `step` floats (at least 4) apart: the
 * elements of a column become contiguous, and the columns to_step floats apart. Reads LANES rows
 * and 4 elements of each at a time, also beyond the last ones, but does not store what is
 * beyond. */
TILE_INLINE void store_columns(const float *from, int64_t step, int64_t rows, int64_t cols,
                               float *to, int64_t to_step)
{
    for (int64_t j = 0; j < cols; j += 4)
        for (int64_t i = 0; i < rows; i += LANES) {
            const int64_t lanes = smaller(LANES, rows - i);
            vec column[4];
            vec_columns4(from + i * step + j, step, column);
            for (int64_t q = j; q < smaller(j + 4, cols); q++)
                if (lanes == LANES)
                    vec_store(to + q * to_step + i, column[q - j]);
                else
                    vec_store_part(to + q * to_step + i, column[q - j], lanes);
        }
}

/* Packs one micro-panel of A: `height` elements per term, which are 0 below the last of `rows`
 * rows. If it is whole, and A has enough rows for reading whole vectors of them, four terms at a
 * time are transposed. */
TILE_INLINE void pack_micro_panel_of_a(const struct view *a, int64_t row, int64_t rows, int height,
                                       int64_t term, int64_t terms, float *to)
{
    const int64_t read = (height + LANES - 1) / LANES * LANES;
    const bool transposes = rows == height && row + read <= a->first_row + a->rows;
    const int64_t first = transposes ? terms - terms % 4 : 0;
    store_columns(view_row(a, row) + term, a->row_stride, height, first, to, height);
    for (int64_t i = 0; i < height; i++) {
        const float *from = i < rows ? view_row(a, row + i) + term : NULL;
        for (int64_t k = first; k < terms; k++)
            to[k * height + i] = from ? from[k] : 0.0f;
    }
}

#endif
