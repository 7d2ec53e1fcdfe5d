/* Packs B once, in micro-panels of columns, and A a block of rows at a time. Then each tile of C is
 * completed, part after part, while it is in the first-level cache. If A has a single micro-panel,
 * B is read in place, since packing is worth its time only if several micro-panels read the packed
 * data. */
#include "kernels/matmul/outer.h"

#include "kernels/matmul/tile.h"

_Static_assert((int)OUTER_ROWS % TILE_ROWS == 0 && (int)OUTER_WIDTH % TILE_COLS == 0,
               "blocks hold whole micro-panels");

static int64_t terms_of(const struct outer_call *call)
{
    return call->parts > 0 ? call->ends[call->parts - 1] : 0;
}

/* ---- packing -------------------------------------------------------------------------------- */

/* Loads adjacent floats, `held` of them; the other lanes are 0. */
TILE_INLINE vec load_held(const float *from, int64_t held)
{
    return held >= LANES ? vec_load(from)
           : held > 0    ? vec_load_part(from, held, vec_zero())
                         : vec_zero();
}

TILE_INLINE void store_lanes(float *to, vec x, int64_t lanes)
{
    if (lanes >= LANES)
        vec_store(to, x);
    else
        vec_store_part(to, x, lanes);
}

/* Packs columns [col, col + TILE_COLS) of B, every term; only `held` columns exist, the others
 * become 0. */
static void pack_micro_panel_of_b(const struct outer_call *call, int64_t col, int64_t held,
                                  float *to)
{
    const int64_t terms = terms_of(call);
    const float *from = call->b + col;
    for (int64_t t = 0; t < terms; t++, from += call->b_step, to += TILE_COLS)
        for (int v = 0; v < TILE_VECTORS; v++)
            vec_store(to + v * LANES, load_held(from + v * LANES, held - v * LANES));
}

/* Packs at most LANES rows of A, every term, into `lanes` rows of a micro-panel that is `height`
 * rows high; `held` of them are in A, the others become 0. Returns the sum of each row's terms,
 * summed part after part. */
TILE_INLINE vec pack_lanes_of_a(const struct outer_call *call, const float *from, int64_t held,
                                int64_t lanes, int64_t height, float *to)
{
    vec sums = vec_zero();
    int64_t t = 0;
    for (int64_t p = 0; p < call->parts; p++) {
        vec sum = vec_zero();
        for (; t < call->ends[p]; t++, from += call->a_step, to += height) {
            const vec x = load_held(from, held);
            store_lanes(to, x, lanes);
            sum = vec_add(sum, x);
        }
        sums = p > 0 ? vec_add(sums, sum) : sum;
    }
    return sums;
}

static void pack_rows_of_a(const struct outer_call *call, int64_t row, int64_t held, float *to)
{
    const int64_t height = micro_panel_height(held);
    for (int64_t i = 0; i < height; i += LANES) {
        const int64_t left = smaller(held - i, LANES);
        const vec sums = pack_lanes_of_a(call, call->a + row + i, left, smaller(height - i, LANES),
                                         height, to + i);
        if (call->sums && left > 0)
            store_lanes(call->sums + row + i, sums, left);
    }
}

/* Packs B, except whole micro-panels that are read in place. */
static void pack_b(const struct outer_call *call, bool in_place, float *to)
{
    const int64_t terms = terms_of(call);
    for (int64_t j = 0; j < call->cols; j += TILE_COLS, to += terms * TILE_COLS)
        if (!in_place || call->cols - j < TILE_COLS)
            pack_micro_panel_of_b(call, j, call->cols - j, to);
}

static void pack_a(const struct outer_call *call, int64_t row, int64_t rows, float *to)
{
    const int64_t terms = terms_of(call);
    for (int64_t i = 0; i < rows; i += TILE_ROWS, to += terms * TILE_ROWS)
        pack_rows_of_a(call, row + i, smaller(TILE_ROWS, rows - i), to);
}

/* ---- products ------------------------------------------------------------------------------- */

/* A micro-panel of B, b_step floats from term to term. */
struct columns {
    const float *b;
    int64_t b_step;
};

/* Computes one tile, all parts. */
static void multiply_tile(const struct outer_call *call, const float *a, struct columns b,
                          struct corner *to)
{
    const int height = micro_panel_height(to->rows);
    int64_t first = 0;
    const float *next = to->next;
    for (int64_t p = 0; p < call->parts; first = call->ends[p], p++) {
        to->add = p > 0;
        to->next = next ? next + first * to->per_term : NULL;
        tile_of_height(a + first * height, b.b + first * b.b_step, b.b_step, call->ends[p] - first,
                       to, height);
    }
}

/* Multiplies packed rows of A by all columns of B. Meanwhile prefetches the next micro-panel of B,
 * which is no nearer than the last-level cache. */
static void multiply_block(const struct outer_call *call, int64_t row, int64_t rows, const float *a,
                           const float *packed, bool in_place)
{
    const int64_t terms = terms_of(call);
    struct corner to = {.stride = call->c_step,
                        .per_term = prefetched_per_term((rows + TILE_ROWS - 1) / TILE_ROWS)};
    for (int64_t j = 0; j < call->cols; j += TILE_COLS, packed += terms * TILE_COLS) {
        const bool here = in_place && call->cols - j >= TILE_COLS;
        const struct columns b = here ? (struct columns){call->b + j, call->b_step}
                                      : (struct columns){packed, TILE_COLS};
        to.cols = smaller(TILE_COLS, call->cols - j);
        for (int64_t i = 0; i < rows; i += TILE_ROWS) {
            to.c = call->c + (row + i) * call->c_step + j;
            to.rows = smaller(TILE_ROWS, rows - i);
            to.next = in_place ? NULL : packed + (TILE_COLS + i / TILE_ROWS * to.per_term) * terms;
            multiply_tile(call, a + i * terms, b, &to);
        }
    }
}

void ISA_FUNCTION(matmul_outer)(const struct outer_call *call, void *scratch)
{
    const bool in_place = call->rows <= TILE_ROWS;
    float *a = scratch, *b = a + terms_of(call) * OUTER_ROWS;
    pack_b(call, in_place, b);
    for (int64_t row = 0; row < call->rows; row += OUTER_ROWS) {
        const int64_t rows = smaller(OUTER_ROWS, call->rows - row);
        pack_a(call, row, rows, a);
        multiply_block(call, row, rows, a, b, in_place);
    }
}
