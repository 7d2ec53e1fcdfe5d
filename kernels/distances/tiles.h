/* The loops of `blocked` and `gram`: a packed panel of rows of X is combined with all columns,
 * micro-panel by micro-panel of Y, in a strip of tiles of TILE_ROWS x TILE_COLS distances
 * (strips.h). Symmetric pairs are computed once (halves.h). Included once per instruction set. */
#ifndef MAXPOOL_DISTANCES_TILES_H
#define MAXPOOL_DISTANCES_TILES_H

#include "kernels/distances/strips.h"

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

/* The squares |x|^2 of `points` points, at most PANEL_COLS, of a micro-panel, summed dimension by
 * dimension like the products. */
TILE_INLINE void square_points(const float *micro_panel, int64_t height, int64_t points,
                               int64_t dimensions, float *squares)
{
    float sums[PANEL_COLS] = {0.0f};
    for (int64_t k = 0; k < dimensions; k++, micro_panel += height)
        for (int64_t i = 0; i < points; i++)
            sums[i] += micro_panel[i] * micro_panel[i];
    for (int64_t i = 0; i < points; i++)
        squares[i] = sums[i];
}

TILE_INLINE void pack_rows(const struct panel *p)
{
    const struct distances_call *call = p->call;
    float *to = p->x;
    for (int64_t i = 0; i < p->rows; i += TILE_ROWS, to += TILE_ROWS * call->dimensions) {
        pack_points(&call->x, p->row + i, smaller(TILE_ROWS, p->rows - i), TILE_ROWS,
                    call->dimensions, p->centre, to);
        if (p->x_squares)
            square_points(to, TILE_ROWS, TILE_ROWS, call->dimensions, p->x_squares + i);
    }
}

TILE_INLINE void pack_columns(const struct panel *p)
{
    const int64_t d = p->call->dimensions;
    pack_points(&p->call->y, p->col, p->cols, TILE_COLS, d, p->centre, p->y);
    for (int64_t i = 0; p->y_squares && i < TILE_COLS; i += LANES)
        square_points(p->y + i, TILE_COLS, LANES, d, p->y_squares + i);
}

/* Whether the panel has anything to compute in the columns from p->col on. */
TILE_INLINE bool any_part(const struct panel *p)
{
    bool any = false;
    for (int i = 0; i < HALF_PARTS; i++) {
        const struct half part = half_part(p->call, p->col, i);
        any = any || (larger(part.first, p->row) < smaller(part.end, p->row + p->rows));
    }
    return any;
}

/* Computes the whole call. */
TILE_INLINE void compute_tiles(struct panel p, const struct tile_method *m)
{
    const struct block *o = &p.call->block;
    const int64_t most = panel_rows(p.call->dimensions);
    for (p.row = o->row; p.row < o->row + o->rows; p.row += most) {
        p.rows = smaller(most, o->row + o->rows - p.row);
        pack_rows(&p);
        for (p.col = o->col; p.col < o->col + o->cols; p.col += p.cols) {
            p.cols = smaller(TILE_COLS, half_columns_end(p.call, p.col) - p.col);
            if (!any_part(&p))
                continue;
            pack_columns(&p);
            for (int i = 0; i < HALF_PARTS; i++) {
                const struct half part = half_part(p.call, p.col, i);
                compute_part(&p, &part, m);
            }
        }
    }
}

#endif
