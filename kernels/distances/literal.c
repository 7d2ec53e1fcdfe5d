/* Difference, square, sum and root, pair by pair, as in numpy's linalg.norm(x - y): the frozen
 * baseline. */
#include "kernels/distances/distances.h"
#include "kernels/distances/pair.h"

void distances_literal(const struct distances_call *call, void *scratch)
{
    const struct block *o = &call->block;
    (void)scratch;
    for (int64_t i = o->row; i < o->row + o->rows; i++)
        for (int64_t j = o->col; j < o->col + o->cols; j++)
            map_row(&call->map, i)[j] =
                pair_distance(view_row(&call->x, i), view_row(&call->y, j), call->dimensions);
}
