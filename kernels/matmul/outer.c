/* B is packed once, in micro-panels of columns; of A a block of rows at a time. Then each tile of C
 * is finished, part after part, while it lies in the first cache. */
#include "kernels/matmul/outer.h"

#include "kernels/matmul/tile.h"

_Static_assert((int)OUTER_ROWS % TILE_ROWS == 0 && (int)OUTER_WIDTH % TILE_COLS == 0,
               "blocks hold whole micro-panels");

static int64_t terms_of(const struct outer_call *call)
{
    return call->parts > 0 ? call->ends[call->parts - 1] : 0;
}

/* `count` adjacent elements of every term; those from `held` on are 0. */
static void pack(const float *from, int64_t step, int64_t terms, int64_t held, int64_t count,
                 float *to)
{
    for (int64_t t = 0; t < terms; t++, from += step, to += count)
        for (int64_t i = 0; i < count; i++)
            to[i] = i < held ? from[i] : 0.0f;
}

static void pack_b(const struct outer_call *call, float *to)
{
    const int64_t terms = terms_of(call);
    for (int64_t j = 0; j < call->cols; j += TILE_COLS, to += terms * TILE_COLS)
        pack(call->b + j, call->b_step, terms, smaller(TILE_COLS, call->cols - j), TILE_COLS, to);
}

static void pack_a(const struct outer_call *call, int64_t row, int64_t rows, float *to)
{
    const int64_t terms = terms_of(call);
    for (int64_t i = 0; i < rows; i += TILE_ROWS, to += terms * TILE_ROWS) {
        const int64_t held = smaller(TILE_ROWS, rows - i);
        pack(call->a + row + i, call->a_step, terms, held, micro_panel_height(held), to);
    }
}

/* One tile, all parts. */
static void multiply_tile(const struct outer_call *call, const float *a, const float *b,
                          struct corner *to)
{
    const int height = micro_panel_height(to->rows);
    int64_t first = 0;
    for (int64_t p = 0; p < call->parts; first = call->ends[p], p++) {
        to->add = p > 0;
        tile_of_height(a + first * height, b + first * TILE_COLS, TILE_COLS, call->ends[p] - first,
                       to, height);
    }
}

static void multiply_block(const struct outer_call *call, int64_t row, int64_t rows, const float *a,
                           const float *b)
{
    const int64_t terms = terms_of(call);
    struct corner to = {.stride = call->c_step};
    for (int64_t j = 0; j < call->cols; j += TILE_COLS, b += terms * TILE_COLS)
        for (int64_t i = 0; i < rows; i += TILE_ROWS) {
            to.c = call->c + (row + i) * call->c_step + j;
            to.rows = smaller(TILE_ROWS, rows - i);
            to.cols = smaller(TILE_COLS, call->cols - j);
            multiply_tile(call, a + i * terms, b, &to);
        }
}

void ISA_FUNCTION(matmul_outer)(const struct outer_call *call, void *scratch)
{
    float *a = scratch, *b = a + terms_of(call) * OUTER_ROWS;
    pack_b(call, b);
    for (int64_t row = 0; row < call->rows; row += OUTER_ROWS) {
        const int64_t rows = smaller(OUTER_ROWS, call->rows - row);
        pack_a(call, row, rows, a);
        multiply_block(call, row, rows, a, b);
    }
}
