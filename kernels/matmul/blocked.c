/* Cache blocking of the interchanged loops: a tile of B (TERMS x COLS floats, 128 KiB) stays in the
 * second-level cache while all rows of the block use it. */
#include "kernels/matmul/matmul.h"
#include "kernels/min_max.h"

enum { TERMS = 128, COLS = 256 };

/* C(row, [col, col + cols)) += A(row, [term, term + terms)) * B, all within one tile. */
static void add_tile_row(const struct matmul_call *call, int64_t row, int64_t col, int64_t cols,
                         int64_t term, int64_t terms)
{
    const float *a = view_row(&call->a, row);
    float *restrict c = map_row(&call->c, row) + col;
    for (int64_t k = term; k < term + terms; k++) {
        const float *b = view_row(&call->b, k) + col;
        for (int64_t j = 0; j < cols; j++)
            c[j] += a[k] * b[j];
    }
}

static void clear(const struct matmul_call *call)
{
    const struct block *o = &call->block;
    for (int64_t i = o->row; i < o->row + o->rows; i++)
        for (int64_t j = o->col; j < o->col + o->cols; j++)
            map_row(&call->c, i)[j] = 0.0f;
}

void matmul_blocked(const struct matmul_call *call, void *scratch)
{
    (void)scratch;
    const struct block *o = &call->block;
    const int64_t col_end = o->col + o->cols, term_end = call->term + call->terms;
    if (call->term == 0)
        clear(call);
    for (int64_t j = o->col; j < col_end; j += COLS)
        for (int64_t k = call->term; k < term_end; k += TERMS)
            for (int64_t i = o->row; i < o->row + o->rows; i++)
                add_tile_row(call, i, j, smaller(COLS, col_end - j), k,
                             smaller(TERMS, term_end - k));
}
