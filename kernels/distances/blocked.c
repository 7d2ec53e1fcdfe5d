/* Direct differences in register tiles: a sliver of points of Y, packed by dimension, meets some
 * points of X at a time; neighbouring columns are the lanes. A difference and a multiply-add for
 * each pair and dimension, and nothing can cancel. Of
 * what is symmetric half is computed (halves.h). */
#include "kernels/distances/slivers.h"

enum { ROWS = VECTOR_REGISTERS >= 32 ? 10 : 4 };

/* Rows [row, row + ROWS) by one sliver; those beyond the block repeat its last. */
TILE_INLINE void sum_squares(const struct distances_call *call, int64_t row, const float *sliver,
                             vec sums[ROWS][TILE_VECTORS])
{
    const float *x[ROWS];
    const int64_t last = call->block.row + call->block.rows - 1;
    VECTOR_UNROLLED
    for (int i = 0; i < ROWS; i++) {
        x[i] = view_row(&call->x, smaller(row + i, last));
        for (int v = 0; v < TILE_VECTORS; v++)
            sums[i][v] = vec_zero();
    }
    for (int64_t k = 0; k < call->dimensions; k++, sliver += TILE_COLS) {
        const vec y[TILE_VECTORS] = {vec_load(sliver), vec_load(sliver + LANES)};
        VECTOR_UNROLLED
        for (int i = 0; i < ROWS; i++)
            for (int v = 0; v < TILE_VECTORS; v++) {
                const vec d = vec_subtract(vec_all(x[i][k]), y[v]);
                sums[i][v] = vec_multiply_add(d, d, sums[i][v]);
            }
    }
}

static void tile_of_distances(const struct distances_call *call, int64_t row, int64_t rows,
                              int64_t col, int64_t cols, const float *sliver)
{
    vec sums[ROWS][TILE_VECTORS];
    sum_squares(call, row, sliver, sums);
    VECTOR_UNROLLED
    for (int i = 0; i < ROWS; i++) {
        if (i >= rows)
            break;
        float *to = map_row(&call->map, row + i) + col;
        for (int v = 0; v < TILE_VECTORS; v++) {
            const int64_t lanes = smaller(cols - v * LANES, LANES);
            if (lanes > 0)
                vec_store_part(to + v * LANES, vec_square_root(sums[i][v]), lanes);
        }
    }
}

/* The rows of a part by one sliver. */
static void part_of_distances(const struct distances_call *call, const struct half *part,
                              int64_t col, int64_t cols, const float *sliver)
{
    for (int64_t row = part->first; row < part->end; row += ROWS) {
        const int64_t rows = smaller(ROWS, part->end - row);
        tile_of_distances(call, row, rows, col, cols, sliver);
        if (part->mirrored)
            store_mirrored(call, row, rows, col, cols);
    }
}

void ISA_FUNCTION(distances_blocked)(const struct distances_call *call, void *scratch)
{
    const struct block *o = &call->block;
    int64_t cols;
    for (int64_t col = o->col; col < o->col + o->cols; col += cols) {
        cols = smaller(TILE_COLS, half_columns_end(call, col) - col);
        pack_points(&call->y, col, cols, TILE_COLS, call->dimensions, NULL, scratch);
        for (int p = 0; p < HALF_PARTS; p++) {
            const struct half part = half_part(call, col, p);
            part_of_distances(call, &part, col, cols, scratch);
        }
    }
}
