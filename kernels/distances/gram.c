/* |x - y|^2 = |x|^2 + |y|^2 - 2 x.y: the products by the tiles of matmul/tile.h, one multiply-add
 * for each pair and dimension. Where x and y are near each other and far from the origin, the large
 * terms cancel and leave their rounding errors. So all points are taken from a centre first, pairs
 * that could still exceed the bound are computed by the definition, and their number is told.
 *
 * The float32 sum of the three terms is off by at most about gamma_(d+2) (|x|^2 + |y|^2), since
 * 2 |x|.|y| <= |x|^2 + |y|^2; its root then by half of that over D, so relatively by
 * gamma_(d+2) (|x|^2 + |y|^2) / (2 D^2), which must not exceed the bound. */
#include "kernels/distances/pair.h"
#include "kernels/distances/panels.h"
#include "kernels/distances/slivers.h"

_Static_assert((int)GRAM_ROWS % TILE_ROWS == 0, "a panel holds whole slivers");

/* A panel of rows of X, packed, and one sliver of Y. */
struct gram {
    const struct distances_call *call;
    int64_t row, rows; /* of the panel */
    int64_t col, cols; /* of the sliver */
    float *x, *y;
    float *x_squares, *y_squares; /* |x|^2, |y|^2 */
    float least; /* D^2 / (|x|^2 + |y|^2) below which a pair is computed by the definition */
};

/* Squares of the points of a sliver, summed dimension by dimension as the products are. */
static void square_sliver(const float *sliver, int64_t height, int64_t dimensions, float *squares)
{
    for (int64_t i = 0; i < height; i++)
        squares[i] = 0.0f;
    for (int64_t k = 0; k < dimensions; k++, sliver += height)
        for (int64_t i = 0; i < height; i++)
            squares[i] += sliver[i] * sliver[i];
}

static void pack_rows(const struct gram *g)
{
    const struct distances_call *call = g->call;
    float *to = g->x;
    for (int64_t i = 0; i < g->rows; i += TILE_ROWS, to += TILE_ROWS * call->dimensions) {
        pack_points(&call->x, g->row + i, smaller(TILE_ROWS, g->rows - i), TILE_ROWS,
                    call->dimensions, call->centre, to);
        square_sliver(to, TILE_ROWS, call->dimensions, g->x_squares + i);
    }
}

/* One distance of a pair whose dot product is known. */
static float distance_of(const struct gram *g, int64_t i, int64_t j, float product)
{
    const struct distances_call *call = g->call;
    const float both = g->x_squares[i] + g->y_squares[j];
    const float square = both - 2.0f * product;
    if (call->same && g->row + i == g->col + j)
        return 0.0f;
    if (square > g->least * both)
        return sqrtf(square);
    if (call->repaired)
        ++*call->repaired;
    return pair_distance(view_row(&call->x, g->row + i), view_row(&call->y, g->col + j),
                         call->dimensions);
}

/* Whether any distance of a vector must be looked at by itself. */
TILE_INLINE bool any_repair(vec squares, vec least)
{
    float lanes[LANES];
    bool any = false;
    vec_store(lanes, vec_subtract(squares, least));
    for (int64_t q = 0; q < LANES; q++)
        any = any || !(lanes[q] > 0.0f);
    return any;
}

/* One row of a tile of products becomes distances. */
TILE_INLINE void store_distances(const struct gram *g, int64_t i, const float *products)
{
    float *to = map_row(&g->call->map, g->row + i) + g->col;
    for (int64_t v = 0; v < g->cols; v += LANES) {
        const int64_t lanes = smaller(LANES, g->cols - v);
        const vec both = vec_add(vec_all(g->x_squares[i]), vec_load(g->y_squares + v));
        const vec squares = vec_multiply_add(vec_all(-2.0f), vec_load(products + v), both);
        if (lanes == LANES && !any_repair(squares, vec_multiply(vec_all(g->least), both)))
            vec_store(to + v, vec_square_root(squares));
        else
            for (int64_t q = 0; q < lanes; q++)
                to[v + q] = distance_of(g, i, v + q, products[v + q]);
    }
}

/* The rows of a part that the panel has, by the sliver. A tile may begin before them: only those of
 * its rows are stored. */
static void multiply_part(const struct gram *g, const struct half *part)
{
    float products[TILE_ROWS * TILE_COLS];
    const int64_t first = larger(part->first - g->row, 0);
    const int64_t end = smaller(part->end - g->row, g->rows);
    struct corner to = {.c = products, .stride = TILE_COLS, .cols = TILE_COLS};
    for (int64_t i = first / TILE_ROWS * TILE_ROWS; i < end; i += TILE_ROWS) {
        const int64_t from = larger(first, i);
        to.rows = smaller(TILE_ROWS, end - i);
        tile(g->x + i * g->call->dimensions, TILE_ROWS, g->y, TILE_COLS, g->call->dimensions, &to,
             TILE_ROWS);
        for (int64_t r = from; r < i + to.rows; r++)
            store_distances(g, r, products + (r - i) * TILE_COLS);
        if (part->mirrored)
            store_mirrored(g->call, g->row + from, i + to.rows - from, g->col, g->cols);
    }
}

static void multiply_sliver(const struct gram *g)
{
    for (int p = 0; p < HALF_PARTS; p++) {
        const struct half part = half_part(g->call, g->col, p);
        multiply_part(g, &part);
    }
}

/* Whether the panel has anything to do in the columns from `col` on. */
static bool any_part(const struct gram *g)
{
    bool any = false;
    for (int p = 0; p < HALF_PARTS; p++) {
        const struct half part = half_part(g->call, g->col, p);
        any = any || (larger(part.first, g->row) < smaller(part.end, g->row + g->rows));
    }
    return any;
}

void ISA_FUNCTION(distances_gram)(const struct distances_call *call, void *scratch)
{
    const struct block *o = &call->block;
    const int64_t d = call->dimensions;
    const double error = distances_cancellation(d) / 2.0;
    struct gram g = {
        .call = call, .x = scratch, .least = (float)(error / distances_relative_bound(d))};
    g.y = g.x + GRAM_ROWS * d;
    g.x_squares = g.y + GRAM_COLS * d;
    g.y_squares = g.x_squares + GRAM_ROWS;
    for (g.row = o->row; g.row < o->row + o->rows; g.row += GRAM_ROWS) {
        g.rows = smaller(GRAM_ROWS, o->row + o->rows - g.row);
        pack_rows(&g);
        for (g.col = o->col; g.col < o->col + o->cols; g.col += g.cols) {
            g.cols = smaller(TILE_COLS, half_columns_end(call, g.col) - g.col);
            if (!any_part(&g))
                continue;
            pack_points(&call->y, g.col, g.cols, TILE_COLS, d, call->centre, g.y);
            square_sliver(g.y, TILE_COLS, d, g.y_squares);
            multiply_sliver(&g);
        }
    }
}
