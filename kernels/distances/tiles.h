/* The loops of `blocked` and `gram`: a panel of rows of X, packed, meets all columns, sliver by
 * sliver of Y; a tile of TILE_ROWS x TILE_COLS distances is computed, stored, and of what is
 * symmetric turned round and stored once more (halves.h). So what a panel writes lies side by side
 * either way. Included once per instruction set. */
#ifndef MAXPOOL_DISTANCES_TILES_H
#define MAXPOOL_DISTANCES_TILES_H

#include "kernels/distances/panels.h"
#include "kernels/distances/slivers.h"

_Static_assert((int)PANEL_ROWS_LEAST % TILE_ROWS == 0 && (int)PANEL_COLS % TILE_COLS == 0,
               "a panel holds whole slivers");

struct panel {
    const struct distances_call *call;
    const float *centre; /* that all points are taken from, or NULL */
    int64_t row, rows;   /* of the map */
    int64_t col, cols;   /* of the sliver */
    float *x, *y;
    float *x_squares, *y_squares; /* |x|^2, |y|^2; NULL: not wanted */
};

/* A tile whose first row is the panel's row i. Rows beyond the points are those of a point 0. */
struct tile_place {
    int64_t i;
    int64_t from, end; /* rows of the panel that are wanted of it */
};

/* Computes a tile: distances, TILE_COLS from row to row. */
typedef void tile_function(const struct panel *p, const struct tile_place *t, float *distances);

/* Squares of the points of a sliver, summed dimension by dimension as the products are. */
TILE_INLINE void square_sliver(const float *sliver, int64_t height, int64_t dimensions,
                               float *squares)
{
    for (int64_t i = 0; i < height; i++)
        squares[i] = 0.0f;
    for (int64_t k = 0; k < dimensions; k++, sliver += height)
        for (int64_t i = 0; i < height; i++)
            squares[i] += sliver[i] * sliver[i];
}

TILE_INLINE void pack_rows(const struct panel *p)
{
    const struct distances_call *call = p->call;
    float *to = p->x;
    for (int64_t i = 0; i < p->rows; i += TILE_ROWS, to += TILE_ROWS * call->dimensions) {
        pack_points(&call->x, p->row + i, smaller(TILE_ROWS, p->rows - i), TILE_ROWS,
                    call->dimensions, p->centre, to);
        if (p->x_squares)
            square_sliver(to, TILE_ROWS, call->dimensions, p->x_squares + i);
    }
}

TILE_INLINE void pack_columns(const struct panel *p)
{
    const int64_t d = p->call->dimensions;
    pack_points(&p->call->y, p->col, p->cols, TILE_COLS, d, p->centre, p->y);
    if (p->y_squares)
        square_sliver(p->y, TILE_COLS, d, p->y_squares);
}

/* Tiles that are stored together, so that what is turned round makes whole vectors. */
enum { TILES_TOGETHER = 4, ROWS_TOGETHER = TILES_TOGETHER * TILE_ROWS };

TILE_INLINE void store_distances(float *to, const float *distances, int64_t cols)
{
    if (cols == TILE_COLS)
        for (int64_t q = 0; q < TILE_COLS; q += LANES)
            vec_store(to + q, vec_load(distances + q));
    else
        for (int64_t q = 0; q < cols; q += LANES)
            vec_store_part(to + q, vec_load(distances + q), smaller(LANES, cols - q));
}

TILE_INLINE void store_tiles(const struct panel *p, const struct tile_place *t, bool mirrored,
                             const float *distances)
{
    const struct map_view *map = &p->call->map;
    const float *from = distances + (t->from - t->i) * TILE_COLS;
    for (int64_t r = t->from; r < t->end; r++)
        store_distances(map_row(map, p->row + r) + p->col, distances + (r - t->i) * TILE_COLS,
                        p->cols);
    if (mirrored)
        store_columns(from, TILE_COLS, t->end - t->from, p->cols,
                      map_row(map, p->col) + p->row + t->from, map->row_stride);
}

/* Memory is asked for `floats` floats of the map, into the second cache: the first one is full of
 * what the sums read. */
TILE_INLINE void ask_for(const float *to, int64_t floats)
{
    enum { LINE = 16 };
    for (int64_t i = 0; i < floats; i += LINE)
        __builtin_prefetch(to + i, 1, 2);
    __builtin_prefetch(to + floats - 1, 1, 2);
}

/* ... for what a tile's sums will be stored to, before they are begun: its rows, and so many of the
 * columns, turned round, of the tiles that are stored with it. */
TILE_INLINE void ask_for_map(const struct panel *p, const struct tile_place *t,
                             const struct tile_place *all, bool mirrored)
{
    const struct map_view *map = &p->call->map;
    for (int64_t r = t->from; r < t->end; r++)
        ask_for(map_row(map, p->row + r) + p->col, p->cols);
    const int64_t first = TILE_COLS * (t->i - all->i) / ROWS_TOGETHER;
    const int64_t end = TILE_COLS * (t->i - all->i + TILE_ROWS) / ROWS_TOGETHER;
    for (int64_t j = first; mirrored && j < smaller(end, p->cols); j++)
        ask_for(map_row(map, p->col + j) + p->row + all->from, all->end - all->from);
}

/* The rows of a part that the panel has, by the sliver. A tile may begin before them. */
TILE_INLINE void compute_part(const struct panel *p, const struct half *part,
                              tile_function *compute)
{
    float distances[(ROWS_TOGETHER + LANES) * TILE_COLS + 4]; /* store_columns reads beyond */
    const int64_t first = larger(part->first - p->row, 0);
    const int64_t end = smaller(part->end - p->row, p->rows);
    for (int64_t i = first / TILE_ROWS * TILE_ROWS; i < end; i += ROWS_TOGETHER) {
        const struct tile_place all = {i, larger(first, i), smaller(i + ROWS_TOGETHER, end)};
        for (int64_t r = i; r < all.end; r += TILE_ROWS) {
            const struct tile_place t = {r, larger(first, r), smaller(r + TILE_ROWS, end)};
            ask_for_map(p, &t, &all, part->mirrored);
            compute(p, &t, distances + (r - i) * TILE_COLS);
        }
        store_tiles(p, &all, part->mirrored, distances);
    }
}

/* Whether the panel has anything to do in the columns from `col` on. */
TILE_INLINE bool any_part(const struct panel *p)
{
    bool any = false;
    for (int i = 0; i < HALF_PARTS; i++) {
        const struct half part = half_part(p->call, p->col, i);
        any = any || (larger(part.first, p->row) < smaller(part.end, p->row + p->rows));
    }
    return any;
}

/* Everything that the call asks for. */
TILE_INLINE void compute_tiles(struct panel p, tile_function *compute)
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
                compute_part(&p, &part, compute);
            }
        }
    }
}

#endif
