/* Register tiles over packed panels: a tile of C stays in registers while its products are summed,
 * and A and B were copied beforehand into the order in which the tile reads them. The loops around
 * the tile are those of Goto & van de Geijn (2008), "Anatomy of High-Performance Matrix
 * Multiplication", ACM TOMS 34(3), doi:10.1145/1356052.1356053, in the form that Van Zee & van de
 * Geijn (2015), "BLIS: A Framework for Rapidly Instantiating BLAS Functionality", ACM TOMS 41(3),
 * doi:10.1145/2764454, give them:
 *
 *   5  columns of B and C                B's packed panel comes from the last-level cache
 *   4    terms                            packs B
 *   3      rows of A and C                A's packed block is in the second-level cache; packs A
 *   2        TILE_COLS columns            a micro-panel of B
 *   1          TILE_ROWS rows             a micro-panel of A
 *   0            one term                 a rank-1 update of TILE_ROWS x TILE_COLS sums
 *
 * The file kernels/matmul/blocks.h has the numbers of columns, terms and rows. The lanes of a
 * vector are columns of C here, since matrices are row-major. */
#include "kernels/isa.h"
#include "kernels/matmul/blocks.h"
#include "kernels/matmul/in_place.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/square.h"
#include "kernels/matmul/tile.h"

#include <string.h>

_Static_assert((int)PACKED_ROWS_STEP % TILE_ROWS == 0 && (int)PACKED_COLS_STEP % TILE_COLS == 0,
               "panels hold whole micro-panels");

/* ---- packing -------------------------------------------------------------------------------- */

/* Packs the last micro-panel of B: TILE_COLS elements per term; those right of the last of `cols`
 * columns are 0. */
static void pack_part_of_b(const struct view *b, int64_t term, int64_t terms, int64_t col,
                           int64_t cols, float *to)
{
    for (int64_t k = 0; k < terms; k++, to += TILE_COLS) {
        const float *from = view_row(b, term + k) + col;
        for (int v = 0; v < TILE_VECTORS; v++) {
            const int64_t lanes = smaller(cols - v * LANES, LANES);
            const vec x = lanes == LANES ? vec_load(from + v * LANES)
                          : lanes > 0    ? vec_load_part(from + v * LANES, lanes, vec_zero())
                                         : vec_zero();
            vec_store(to + v * LANES, x);
        }
    }
}

/* Packs adjacent whole micro-panels of B. Their rows are read together, since memory is faster with
 * longer pieces of rows. */
static void pack_micro_panels_of_b(const struct view *b, int64_t term, int64_t terms, int64_t col,
                                   int64_t panels, float *to)
{
    for (int64_t k = 0; k < terms; k++, to += TILE_COLS) {
        const float *from = view_row(b, term + k) + col;
        for (int64_t p = 0; p < panels; p++)
            for (int v = 0; v < TILE_VECTORS; v++)
                vec_store(to + p * terms * TILE_COLS + v * LANES,
                          vec_load(from + p * TILE_COLS + v * LANES));
    }
}

/* ---- the loops ------------------------------------------------------------------------------ */

/* A worker's scratch, and the part of the call that is being computed. */
struct work {
    const struct matmul_call *call;
    float *a, *b;       /* buffers for packed blocks and panels */
    const float *panel; /* the packed panel of B that is read */
    struct range cols, terms, rows;
    bool b_in_place; /* whole micro-panels of B are read in place */
};

static void pack_transposed_b(const struct work *w)
{
    float *to = w->b;
    for (int64_t j = 0; j < w->cols.count; j += TILE_COLS, to += w->terms.count * TILE_COLS)
        pack_micro_panel_of_a(&w->call->b, w->cols.first + j, smaller(w->cols.count - j, TILE_COLS),
                              TILE_COLS, w->terms.first, w->terms.count, to);
}

static void pack_b(const struct work *w)
{
    enum { TOGETHER = 4 };
    const int64_t whole = w->cols.count / TILE_COLS, panel = w->terms.count * TILE_COLS;
    const int64_t done = whole * TILE_COLS;
    if (w->call->b_transposed) {
        pack_transposed_b(w);
        return;
    }
    for (int64_t p = w->b_in_place ? whole : 0; p < whole; p += TOGETHER)
        pack_micro_panels_of_b(&w->call->b, w->terms.first, w->terms.count,
                               w->cols.first + p * TILE_COLS, smaller(whole - p, TOGETHER),
                               w->b + p * panel);
    if (done < w->cols.count)
        pack_part_of_b(&w->call->b, w->terms.first, w->terms.count, w->cols.first + done,
                       w->cols.count - done, w->b + whole * panel);
}

static void pack_a(const struct work *w)
{
    float *to = w->a;
    for (int64_t i = 0; i < w->rows.count; i += TILE_ROWS, to += w->terms.count * TILE_ROWS) {
        const int64_t rows = smaller(TILE_ROWS, w->rows.count - i);
        pack_micro_panel_of_a(&w->call->a, w->rows.first + i, rows, micro_panel_height(rows),
                              w->terms.first, w->terms.count, to);
    }
}

/* Prefetches the tile's elements of C, to which its sums will be added, before the sums begin: rows
 * of C are far apart, and no hardware prefetcher follows them. */
static void prefetch_corner(const struct corner *to)
{
    for (int64_t i = 0; i < to->rows; i++) {
        __builtin_prefetch(to->c + i * to->stride, 1, 3);
        __builtin_prefetch(to->c + i * to->stride + to->cols - 1, 1, 3);
    }
}

/* Stores the initial values of the tile's sums in C. */
static void set_corner(const struct corner *to, const float *start)
{
    for (int64_t i = 0; i < to->rows; i++)
        memcpy(to->c + i * to->stride, start, (size_t)to->cols * sizeof *start);
}

/* Computes all tiles below one micro-panel of B. Meanwhile prefetches the next micro-panel, which
 * is no nearer than the last-level cache. */
static void multiply_micro_panel(const struct work *w, int64_t j, const float *b, int64_t step)
{
    const bool begins = w->call->start && w->terms.first == 0;
    struct corner to = {.stride = w->call->c.row_stride,
                        .cols = smaller(TILE_COLS, w->cols.count - j),
                        .add = w->terms.first > 0 || begins,
                        .next = w->b_in_place ? NULL : b + TILE_COLS * w->terms.count,
                        .per_term =
                            prefetched_per_term((w->rows.count + TILE_ROWS - 1) / TILE_ROWS)};
    const float *a = w->a;
    for (int64_t i = 0; i < w->rows.count; i += TILE_ROWS, a += w->terms.count * TILE_ROWS) {
        to.rows = smaller(TILE_ROWS, w->rows.count - i);
        to.c = map_row(&w->call->c, w->rows.first + i) + w->cols.first + j;
        if (begins)
            set_corner(&to, w->call->start + w->cols.first + j);
        else if (to.add)
            prefetch_corner(&to);
        tile_of_height(a, b, step, w->terms.count, &to, micro_panel_height(to.rows));
        if (to.next)
            to.next += to.per_term * w->terms.count;
    }
}

static void multiply_block(const struct work *w)
{
    const float *packed = w->panel;
    for (int64_t j = 0; j < w->cols.count; j += TILE_COLS, packed += w->terms.count * TILE_COLS) {
        const bool in_place = w->b_in_place && w->cols.count - j >= TILE_COLS;
        if (in_place)
            multiply_micro_panel(w, j, view_row(&w->call->b, w->terms.first) + w->cols.first + j,
                                 w->call->b.row_stride);
        else
            multiply_micro_panel(w, j, packed, TILE_COLS);
    }
}

/* Sets w->panel, a panel of B: the one that all workers packed together, or one packed now. */
static void find_panel(struct work *w)
{
    const struct matmul_call *call = w->call;
    if (call->panel) {
        w->panel = call->panel + (w->cols.first - call->block.col) * w->terms.count;
        return;
    }
    pack_b(w);
    w->panel = w->b;
}

static void multiply_packed(struct work *w, const struct packed_blocks *most)
{
    const struct block *o = &w->call->block;
    const struct range rows = {o->row, o->rows}, cols = {o->col, o->cols};
    const struct range terms = {w->call->term, w->call->terms};
    w->cols = (struct range){cols.first, 0};
    while (packed_next_part(cols, most->cols, TILE_COLS, &w->cols)) {
        w->terms = (struct range){terms.first, 0};
        while (packed_next_part(terms, most->terms, 1, &w->terms)) {
            find_panel(w);
            w->rows = (struct range){rows.first, 0};
            while (packed_next_part(rows, most->rows, TILE_ROWS, &w->rows)) {
                pack_a(w);
                multiply_block(w);
            }
        }
    }
}

/* Turns whole planes that share one B into the rows of one matrix. */
static struct matmul_call join_planes(const struct matmul_call *call)
{
    struct matmul_call joined = *call;
    const int64_t planes = call->b.plane_stride == 0 ? larger(1, call->block.planes) : 1;
    joined.block.rows *= planes;
    joined.a.rows *= planes;
    joined.block.planes /= planes;
    return joined;
}

/* Packs and multiplies plane by plane. */
static void pack_and_multiply(const struct matmul_call *call, void *scratch)
{
    const struct packed_blocks most = packed_blocks_for(&call->caches);
    struct matmul_call one = *call;
    struct work w = {.call = &one,
                     .a = scratch,
                     .b = (float *)scratch + most.rows * most.terms,
                     .b_in_place =
                         !call->panel && !call->b_transposed && call->block.rows <= TILE_ROWS};
    for (int64_t plane = 0; plane < larger(1, call->block.planes); plane++) {
        one = matmul_call_plane(call, plane);
        multiply_packed(&w, &most);
    }
}

void ISA_FUNCTION(matmul_packed)(const struct matmul_call *call, void *scratch)
{
    const bool plain = !call->panel && !call->b_transposed && !call->start;
    if (plain && are_squares(call)) {
        multiply_squares(call);
        return;
    }
    const struct matmul_call joined = join_planes(call);
    if (plain && is_small(&joined))
        multiply_in_place(&joined);
    else
        pack_and_multiply(&joined, scratch);
}

void ISA_FUNCTION(matmul_packed_panel)(const struct view *b, struct range terms, struct range cols,
                                       float *panel)
{
    const struct matmul_call call = {.b = *b};
    const struct work w = {
        .call = &call, .b = panel + cols.first * terms.count, .cols = cols, .terms = terms};
    pack_b(&w);
}
