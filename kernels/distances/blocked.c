/* Direct differences in register tiles: a sliver of points of Y, packed by dimension, meets some
 * points of X at a time; neighbouring columns are the lanes. A difference and a multiply-add for
 * each pair and dimension, and nothing can cancel. */
#include "kernels/distances/tiles.h"

static void tile_of_differences(const struct panel *p, const struct tile_place *t, float *distances)
{
    vec sums[TILE_ROWS][TILE_VECTORS];
    const float *x = p->x + t->i * p->call->dimensions, *y = p->y;
    VECTOR_UNROLLED
    for (int i = 0; i < TILE_ROWS; i++)
        for (int v = 0; v < TILE_VECTORS; v++)
            sums[i][v] = vec_zero();
    for (int64_t k = 0; k < p->call->dimensions; k++, x += TILE_ROWS, y += TILE_COLS) {
        const vec point[TILE_VECTORS] = {vec_load(y), vec_load(y + LANES)};
        VECTOR_UNROLLED
        for (int i = 0; i < TILE_ROWS; i++)
            for (int v = 0; v < TILE_VECTORS; v++) {
                const vec d = vec_subtract(vec_all(x[i]), point[v]);
                sums[i][v] = vec_multiply_add(d, d, sums[i][v]);
            }
    }
    VECTOR_UNROLLED
    for (int i = 0; i < TILE_ROWS; i++)
        for (int v = 0; v < TILE_VECTORS; v++)
            vec_store(distances + i * TILE_COLS + v * LANES, vec_square_root(sums[i][v]));
}

void ISA_FUNCTION(distances_blocked)(const struct distances_call *call, void *scratch)
{
    const struct panel p = {
        .call = call, .x = scratch, .y = (float *)scratch + PANEL_ROWS * call->dimensions};
    compute_tiles(p, tile_of_differences);
}
