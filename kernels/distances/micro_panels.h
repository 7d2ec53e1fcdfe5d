/* Points as the tiles of `blocked` and `gram` read them: micro-panels of some points, packed so
 * that the coordinates of one dimension are contiguous. Included once per instruction set. */
#ifndef MAXPOOL_DISTANCES_MICRO_PANELS_H
#define MAXPOOL_DISTANCES_MICRO_PANELS_H

#include "kernels/distances/halves.h"
#include "kernels/matmul/tile.h"

/* Packs dimensions [0, some) of a micro-panel of TILE_COLS points: four dimensions of LANES points
 * at a time. Returns `some`, the largest multiple of 4 up to `dimensions`. */
TILE_INLINE int64_t pack_by_four(const struct view *v, int64_t row, int64_t dimensions,
                                 const float *centre, float *to)
{
    const int64_t some = dimensions / 4 * 4;
    for (int64_t i = 0; i < TILE_COLS; i += LANES)
        for (int64_t k = 0; k < some; k += 4) {
            vec column[4];
            vec_columns4(view_row(v, row + i) + k, v->row_stride, column);
            for (int64_t q = 0; q < 4; q++) {
                const vec origin = vec_all(centre ? centre[k + q] : 0.0f);
                vec_store(to + (k + q) * TILE_COLS + i, vec_subtract(column[q], origin));
            }
        }
    return some;
}

/* Packs rows [row, row + rows) into a micro-panel `height` rows high and subtracts the centre; rows
 * beyond are 0. */
TILE_INLINE void pack_points(const struct view *v, int64_t row, int64_t rows, int64_t height,
                             int64_t dimensions, const float *centre, float *to)
{
    const int64_t done =
        height == TILE_COLS && rows == height ? pack_by_four(v, row, dimensions, centre, to) : 0;
    for (int64_t i = 0; i < height; i++) {
        const float *from = i < rows ? view_row(v, row + i) : NULL;
        for (int64_t k = done; k < dimensions; k++)
            to[k * height + i] = from ? from[k] - (centre ? centre[k] : 0.0f) : 0.0f;
    }
}

#endif
