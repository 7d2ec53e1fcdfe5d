/* |x - y|^2 = |x|^2 + |y|^2 - 2 x.y: the products by the tiles of matmul/tile.h, one multiply-add
 * for each pair and dimension. Where x and y are near each other and far from the origin, the large
 * terms cancel and leave their rounding errors. So all points are taken from a centre first, pairs
 * that could still exceed the bound are computed by the definition, and their number is told.
 *
 * The float32 sum of the three terms is off by at most about gamma_(d+2) (|x|^2 + |y|^2), since
 * 2 |x|.|y| <= |x|^2 + |y|^2; its root then by half of that over D, so relatively by
 * gamma_(d+2) (|x|^2 + |y|^2) / (2 D^2), which must not exceed the bound. */
#include "kernels/distances/pair.h"
#include "kernels/distances/tiles.h"

/* D^2 / (|x|^2 + |y|^2) below which a pair is computed by the definition. */
static float least_share(int64_t dimensions)
{
    const double error = distances_cancellation(dimensions) / 2.0;
    return (float)(error / distances_relative_bound(dimensions));
}

/* Makes squares of distances of a tile's products. True if any pair of the tile must be looked at
 * by itself: too small a square, or one that is no number. */
static bool make_squares(const struct panel *p, const struct tile_place *t, float least,
                         float *tile_values)
{
    vec most = vec_all(-1.0f), no_number = vec_zero();
    float lanes[LANES], none[LANES];
    bool any = false;
    for (int64_t i = 0; i < TILE_ROWS; i++)
        for (int64_t v = 0; v < TILE_COLS; v += LANES) {
            float *at = tile_values + i * TILE_COLS + v;
            const vec both = vec_add(vec_all(p->x_squares[t->i + i]), vec_load(p->y_squares + v));
            const vec square = vec_multiply_add(vec_all(-2.0f), vec_load(at), both);
            const vec below = vec_subtract(vec_multiply(vec_all(least), both), square);
            vec_store(at, square);
            most = vec_max(below, most);
            no_number = vec_multiply_add(below, vec_zero(), no_number);
        }
    vec_store(lanes, most);
    vec_store(none, no_number);
    for (int64_t q = 0; q < LANES; q++)
        any = any || !(lanes[q] < 0.0f && none[q] == 0.0f);
    return any;
}

/* The distance of the tile's pair (i, j), whose square was found without looking. */
static float distance_of(const struct panel *p, int64_t i, int64_t j, float square, float least)
{
    const struct distances_call *call = p->call;
    if (call->same && p->row + i == p->col + j)
        return 0.0f;
    if (square > least * (p->x_squares[i] + p->y_squares[j]))
        return sqrtf(square);
    if (call->repaired)
        ++*call->repaired;
    return pair_distance(view_row(&call->x, p->row + i), view_row(&call->y, p->col + j),
                         call->dimensions);
}

static void tile_of_products(const struct panel *p, const struct tile_place *t, float *distances)
{
    const int64_t d = p->call->dimensions;
    const float least = least_share(d);
    const struct corner to = {
        .c = distances, .stride = TILE_COLS, .rows = TILE_ROWS, .cols = TILE_COLS};
    tile(p->x + t->i * d, TILE_ROWS, p->y, TILE_COLS, d, &to, TILE_ROWS);
    if (make_squares(p, t, least, distances)) {
        for (int64_t i = t->from; i < t->end; i++)
            for (int64_t j = 0; j < p->cols; j++) {
                float *at = distances + (i - t->i) * TILE_COLS + j;
                *at = distance_of(p, i, j, *at, least);
            }
        return;
    }
    for (int64_t i = 0; i < TILE_ROWS * TILE_COLS; i += LANES)
        vec_store(distances + i, vec_square_root(vec_load(distances + i)));
}

void ISA_FUNCTION(distances_gram)(const struct distances_call *call, void *scratch)
{
    struct panel p = {.call = call, .centre = call->centre, .x = scratch};
    p.y = p.x + panel_rows(call->dimensions) * call->dimensions;
    p.x_squares = p.y + PANEL_COLS * call->dimensions;
    p.y_squares = p.x_squares + panel_rows(call->dimensions);
    compute_tiles(p, tile_of_products);
}
