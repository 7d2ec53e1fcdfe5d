/* Direct differences in register tiles: a sliver of points of Y, packed by dimension, meets some
 * points of X at a time; neighbouring columns are the lanes. A difference and a multiply-add for
 * each pair and dimension, and nothing can cancel. */
#include "kernels/distances/tiles.h"

/* Whether a coordinate of X is read once for each vector of Y that it meets, as an operand of the
 * subtraction itself: AVX-512 can do that. Spread over a register beforehand it would be one load,
 * but one in the units that subtract, which would take half as long again (Zen 4). */
enum { COORDINATES_FROM_MEMORY = LANES == 16 };

/* Where the second vector of Y reads them: the compiler must not see that it is the same place. */
TILE_INLINE const float *coordinates_again(const float *x)
{
    return COORDINATES_FROM_MEMORY ? vec_afresh(x) : x;
}

TILE_INLINE void add_squares(vec sums[][TILE_VECTORS], const float *x, const float *y,
                             int64_t terms)
{
    const float *again = coordinates_again(x);
    for (int64_t k = 0; k < terms; k++) {
        const vec point[TILE_VECTORS] = {vec_load(y), vec_load(y + LANES)};
        const float *from[TILE_VECTORS] = {x, again};
        VECTOR_UNROLLED
        for (int i = 0; i < TILE_ROWS; i++)
            for (int v = 0; v < TILE_VECTORS; v++) {
                const vec d = vec_subtract(point[v], vec_all(from[v][i]));
                sums[i][v] = vec_multiply_add(d, d, sums[i][v]);
            }
        x += TILE_ROWS;
        again += TILE_ROWS;
        y += TILE_COLS;
    }
}

TILE_INLINE void take_roots(const struct panel *p, int64_t i, float *row, struct doubts *doubts)
{
    (void)p;
    (void)i;
    (void)doubts;
    for (int64_t q = 0; q < TILE_COLS; q += LANES)
        vec_store(row + q, vec_square_root(vec_load(row + q)));
}

void ISA_FUNCTION(distances_blocked)(const struct distances_call *call, void *scratch)
{
    struct panel p = {.call = call, .x = scratch};
    p.y = p.x + panel_rows(call->dimensions) * call->dimensions;
    static const struct tile_method differences = {.add = add_squares, .finish = take_roots};
    compute_tiles(p, &differences);
}
