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

static void tile_of_differences(const struct panel *p, const struct tile_place *t, float *distances)
{
    vec sums[TILE_ROWS][TILE_VECTORS];
    const float *x = p->x + t->i * p->call->dimensions, *y = p->y;
    const float *again = coordinates_again(x);
    VECTOR_UNROLLED
    for (int i = 0; i < TILE_ROWS; i++)
        for (int v = 0; v < TILE_VECTORS; v++)
            sums[i][v] = vec_zero();
    for (int64_t k = 0; k < p->call->dimensions; k++) {
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
    VECTOR_UNROLLED
    for (int i = 0; i < TILE_ROWS; i++)
        for (int v = 0; v < TILE_VECTORS; v++)
            vec_store(distances + i * TILE_COLS + v * LANES, vec_square_root(sums[i][v]));
}

void ISA_FUNCTION(distances_blocked)(const struct distances_call *call, void *scratch)
{
    struct panel p = {.call = call, .x = scratch};
    p.y = p.x + panel_rows(call->dimensions) * call->dimensions;
    compute_tiles(p, tile_of_differences);
}
