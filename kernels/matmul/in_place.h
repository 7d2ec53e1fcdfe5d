/* Small products without packing, which would take more time than it saves: register tiles read A
 * and B in place. The rows are divided into tiles of near-equal height, so that none is nearly
 * empty. Included once per instruction set. */
#ifndef MAXPOOL_MATMUL_IN_PLACE_H
#define MAXPOOL_MATMUL_IN_PLACE_H

#include "kernels/matmul/blocks.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/tile.h"

/* When packing saves nothing: in calls of at most SMALL_PRODUCT multiply-adds; and, for any number
 * of rows (such as a batch of small matrices, one below the other), if B has at most SMALL_MATRIX
 * elements, half of a first-level cache. In that case ROWS_TOGETHER rows at a time are multiplied
 * by all of B, so that their elements of A are read again from a near cache. */
enum { SMALL_PRODUCT = 128 * 128 * 128, SMALL_MATRIX = 64 * 64, ROWS_TOGETHER = 8 * TILE_ROWS };

/* Some rows of A and one micro-panel of B. cols: columns from here to the end of B; the micro-panel
 * is whole if these are at least TILE_COLS. */
struct place {
    const float *a, *b;
    float *c;
    int64_t a_stride, b_stride, c_stride;
    int64_t terms, cols;
    bool add; /* to C, instead of overwriting it */
};

TILE_INLINE void load_columns(const struct place *p, int64_t k, int vectors, bool whole,
                              vec row[TILE_VECTORS])
{
    const float *b = p->b + k * p->b_stride;
    for (int64_t v = 0; v < vectors; v++) {
        const int64_t lanes = smaller(larger(p->cols - v * LANES, 0), LANES);
        row[v] = whole ? vec_load(b + v * LANES) : vec_load_part(b + v * LANES, lanes, vec_zero());
    }
}

/* Adds one term. The rows of A are a_stride floats apart, and four of them share one pointer: the
 * compiler would keep a pointer to every row, more pointers than there are registers. */
TILE_INLINE void add_term_strided(vec sums[][TILE_VECTORS], const float *a, int64_t a_stride,
                                  const vec row[TILE_VECTORS], int height, int vectors)
{
    enum { FOUR = 4 };
    VECTOR_UNROLLED
    for (int i = 0; i < height; i += FOUR)
        add_term(sums + i, vec_hide_pointer(a + i * a_stride), a_stride, row,
                 height - i < FOUR ? height - i : FOUR, vectors);
}

/* Computes a tile of `height` rows. height, and whether the micro-panel is whole, are constants
 * wherever this is inlined. */
TILE_INLINE void tile_in_place(const struct place *p, int height, int vectors, bool whole)
{
    const struct corner to = {.c = p->c,
                              .stride = p->c_stride,
                              .rows = height,
                              .cols = whole ? TILE_COLS : p->cols,
                              .add = p->add};
    vec sums[TILE_ROWS][TILE_VECTORS];
    clear_sums(sums, height);
    for (int64_t k = 0; k < p->terms; k++) {
        vec row[TILE_VECTORS];
        load_columns(p, k, vectors, whole, row);
        if (whole)
            add_term(sums, p->a + k, p->a_stride, row, height, vectors);
        else
            add_term_strided(sums, p->a + k, p->a_stride, row, height, vectors);
    }
    store_sums(&to, (const vec(*)[TILE_VECTORS])sums, height);
}

TILE_INLINE int at_most_rows(int height)
{
    return height < TILE_ROWS ? height : TILE_ROWS;
}

TILE_INLINE void tile_in_place_of_height(const struct place *p, int64_t height, int vectors,
                                         bool whole)
{
    switch (height) {
    case 1:
        tile_in_place(p, 1, vectors, whole);
        break;
    case 2:
        tile_in_place(p, 2, vectors, whole);
        break;
    case 3:
        tile_in_place(p, 3, vectors, whole);
        break;
    case 4:
        tile_in_place(p, 4, vectors, whole);
        break;
    case 5:
        tile_in_place(p, 5, vectors, whole);
        break;
    case 6:
        tile_in_place(p, 6, vectors, whole);
        break;
    case 7:
        tile_in_place(p, at_most_rows(7), vectors, whole);
        break;
    case 8:
        tile_in_place(p, at_most_rows(8), vectors, whole);
        break;
    case 9:
        tile_in_place(p, at_most_rows(9), vectors, whole);
        break;
    case 10:
        tile_in_place(p, at_most_rows(10), vectors, whole);
        break;
    case 11:
        tile_in_place(p, at_most_rows(11), vectors, whole);
        break;
    default:
        tile_in_place(p, TILE_ROWS, vectors, whole);
    }
}

static void multiply_rows(struct place p, int64_t rows)
{
    for (int64_t parts = (rows + TILE_ROWS - 1) / TILE_ROWS; parts > 0; parts--) {
        const int64_t height = (rows + parts - 1) / parts;
        if (p.cols >= TILE_COLS)
            tile_in_place_of_height(&p, height, TILE_VECTORS, true);
        else if (p.cols > LANES)
            tile_in_place_of_height(&p, height, TILE_VECTORS, false);
        else
            tile_in_place_of_height(&p, height, 1, false);
        p.a += height * p.a_stride;
        p.c += height * p.c_stride;
        rows -= height;
    }
}

TILE_INLINE bool is_small(const struct matmul_call *call)
{
    const struct block *o = &call->block;
    if (call->terms > PACKED_LEAST_TERMS)
        return false;
    return o->cols <= SMALL_MATRIX / call->terms ||
           o->rows <= SMALL_PRODUCT / call->terms / o->cols;
}

/* Multiplies rows [row, row + rows) of the call by all of its columns. */
static void multiply_rows_in_place(const struct matmul_call *call, int64_t row, int64_t rows)
{
    const struct block *o = &call->block;
    for (int64_t j = 0; j < o->cols; j += TILE_COLS) {
        const struct place p = {.a = view_row(&call->a, row) + call->term,
                                .b = view_row(&call->b, call->term) + o->col + j,
                                .c = map_row(&call->c, row) + o->col + j,
                                .a_stride = call->a.row_stride,
                                .b_stride = call->b.row_stride,
                                .c_stride = call->c.row_stride,
                                .terms = call->terms,
                                .cols = o->cols - j,
                                .add = call->term > 0};
        multiply_rows(p, rows);
    }
}

/* Every output is summed as in the packed product, term by term. */
static void multiply_in_place(const struct matmul_call *call)
{
    const struct block *o = &call->block;
    const int64_t most = o->cols <= SMALL_MATRIX / call->terms ? ROWS_TOGETHER : o->rows;
    struct matmul_call one = *call;
    for (int64_t plane = 0; plane < larger(1, o->planes); plane++) {
        for (int64_t done = 0; done < o->rows; done += most)
            multiply_rows_in_place(&one, o->row + done, smaller(most, o->rows - done));
        one.a.data += call->a.plane_stride;
        one.b.data += call->b.plane_stride;
        one.c.data += call->c.plane_stride;
    }
}

#endif
