/* Points as the tiles of `blocked` and `gram` read them: slivers of some rows, packed so that the
 * coordinates of one dimension lie side by side. Included once per instruction set. */
#ifndef MAXPOOL_DISTANCES_SLIVERS_H
#define MAXPOOL_DISTANCES_SLIVERS_H

#include "kernels/distances/distances.h"
#include "kernels/matmul/tile.h"

/* Rows [row, row + rows) into a sliver `height` rows high, less the centre; rows beyond are 0. */
TILE_INLINE void pack_points(const struct view *v, int64_t row, int64_t rows, int64_t height,
                             int64_t dimensions, const float *centre, float *to)
{
    for (int64_t i = 0; i < height; i++) {
        const float *from = i < rows ? view_row(v, row + i) : NULL;
        for (int64_t k = 0; k < dimensions; k++)
            to[k * height + i] = from ? from[k] - (centre ? centre[k] : 0.0f) : 0.0f;
    }
}

/* Whether every pair of rows [row, row + rows) and columns [col, col + cols) with the row below the
 * column's number is also in the block the other way round, where it is stored from. */
TILE_INLINE bool is_below_diagonal(const struct distances_call *call, int64_t row, int64_t col,
                                   int64_t cols)
{
    const struct block *o = &call->block;
    return call->same && col + cols <= row && col >= o->row && row >= o->col &&
           o->row + o->rows <= o->col + o->cols;
}

/* Stores the mirror image of a stored tile where the block has it. */
TILE_INLINE void store_mirrored(const struct distances_call *call, int64_t row, int64_t rows,
                                int64_t col, int64_t cols)
{
    const struct block *o = &call->block;
    const int64_t end_row = smaller(row + rows, o->col + o->cols);
    const int64_t end_col = smaller(col + cols, o->row + o->rows);
    if (!call->same)
        return;
    for (int64_t j = larger(col, o->row); j < end_col; j++) {
        float *to = map_row(&call->map, j);
        for (int64_t i = larger(row, o->col); i < end_row; i++)
            to[i] = map_row(&call->map, i)[j];
    }
}

#endif
