/* Direct differences in register tiles: a micro-panel of points of Y, packed by dimension, is
 * combined with some points of X at a time; neighbouring columns of D are the lanes. Each pair and
 * dimension takes a difference and a multiply-add, and nothing can cancel. */
#include "kernels/distances/tiles.h"

TILE_INLINE vec add_square(vec sum, vec x, vec y)
{
    const vec difference = vec_subtract(y, x);
    return vec_multiply_add(difference, difference, sum);
}

TILE_INLINE void take_roots(const struct panel *p, int64_t i, float *row, struct doubts *doubts)
{
    (void)p;
    (void)i;
    (void)doubts;
    for (int64_t q = 0; q < TILE_COLS; q += LANES)
        vec_store(row + q, vec_square_root(vec_load(row + q)));
}

static const struct tile_method differences = {.add = add_square, .finish = take_roots};

void ISA_FUNCTION(distances_blocked)(const struct distances_call *call, void *scratch)
{
    struct panel p = {.call = call, .x = scratch};
    p.y = p.x + panel_rows(call->dimensions) * call->dimensions;
    compute_tiles(p, &differences);
}
