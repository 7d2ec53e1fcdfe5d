/* |x - y|^2 = |x|^2 + |y|^2 - 2 x.y: the tiles of matmul/tile.h compute the products, one
 * multiply-add for each pair and dimension. If x and y are near each other and far from the origin,
 * the large terms cancel and leave their rounding errors. So a centre is subtracted from all points
 * first, pairs that could still exceed the bound are recomputed by the definition, and their number
 * is reported.
 *
 * The float32 sum of the three terms is off by at most about gamma_(d+2) (|x|^2 + |y|^2), since
 * 2 |x|.|y| <= |x|^2 + |y|^2. Its root is then off by half of that divided by D, a relative error
 * of gamma_(d+2) (|x|^2 + |y|^2) / (2 D^2), which must not exceed the bound. */
#include "kernels/distances/pair.h"
#include "kernels/distances/tiles.h"

/* The value of D^2 / (|x|^2 + |y|^2) below which a pair is computed by the definition. */
static float least_share(int64_t dimensions)
{
    const double error = distances_cancellation(dimensions) / 2.0;
    return (float)(error / distances_relative_bound(dimensions));
}

TILE_INLINE vec add_product(vec sum, vec x, vec y)
{
    return vec_multiply_add(x, y, sum);
}

/* Turns a row of products into distances. A pair is doubtful if its square is too small, or not a
 * number. */
TILE_INLINE void make_distances(const struct panel *p, int64_t i, float *row, struct doubts *doubts)
{
    vec most = vec_load(doubts->most), no_number = vec_load(doubts->no_number);
    float *squares = doubts->squares[i % TILE_ROWS];
    for (int64_t q = 0; q < TILE_COLS; q += LANES) {
        const vec both = vec_add(vec_all(p->x_squares[i]), vec_load(p->y_squares + q));
        const vec square = vec_multiply_add(vec_all(-2.0f), vec_load(row + q), both);
        const vec below = vec_subtract(vec_multiply(vec_all(p->least), both), square);
        most = vec_max(below, most);
        no_number = vec_multiply_add(below, vec_zero(), no_number);
        vec_store(squares + q, square);
        vec_store(row + q, vec_square_root(square));
    }
    vec_store(doubts->most, most);
    vec_store(doubts->no_number, no_number);
}

/* Recomputes the distance of the panel's doubtful pair (i, j). */
static float distance_of(const struct panel *p, int64_t i, int64_t j)
{
    const struct distances_call *call = p->call;
    if (call->same && p->row + i == p->col + j)
        return 0.0f;
    if (call->repaired)
        ++*call->repaired;
    return pair_distance(view_row(&call->x, p->row + i), view_row(&call->y, p->col + j),
                         call->dimensions);
}

static void settle(const struct panel *p, const struct tile_place *t, const struct doubts *doubts,
                   float *distances)
{
    for (int64_t i = t->from; i < t->end; i++)
        for (int64_t j = 0; j < p->cols; j++) {
            const float both = p->x_squares[i] + p->y_squares[j];
            if (!(doubts->squares[i - t->i][j] > p->least * both))
                distances[(i - t->i) * TILE_COLS + j] = distance_of(p, i, j);
        }
}

static const struct tile_method products = {
    .add = add_product, .finish = make_distances, .settle = settle};

void ISA_FUNCTION(distances_gram)(const struct distances_call *call, void *scratch)
{
    struct panel p = {.call = call, .centre = call->centre, .x = scratch};
    p.y = p.x + panel_rows(call->dimensions) * call->dimensions;
    p.x_squares = p.y + PANEL_COLS * call->dimensions;
    p.y_squares = p.x_squares + panel_rows(call->dimensions);
    p.least = least_share(call->dimensions);
    compute_tiles(p, &products);
}
