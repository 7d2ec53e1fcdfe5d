/* Points as the tiles of `blocked` and `gram` read them: slivers of some rows, packed so that the
 * coordinates of one dimension lie side by side. Included once per instruction set. */
#ifndef MAXPOOL_DISTANCES_SLIVERS_H
#define MAXPOOL_DISTANCES_SLIVERS_H

#include "kernels/distances/halves.h"
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

/* Stores a stored tile the other way round too. */
TILE_INLINE void store_mirrored(const struct distances_call *call, int64_t row, int64_t rows,
                                int64_t col, int64_t cols)
{
    for (int64_t j = col; j < col + cols; j++) {
        float *to = map_row(&call->map, j);
        for (int64_t i = row; i < row + rows; i++)
            to[i] = map_row(&call->map, i)[j];
    }
}

#endif
