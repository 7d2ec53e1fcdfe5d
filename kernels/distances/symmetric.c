/* Half of the pairs: of two points that are both rows and columns of the block, one distance is
 * computed and stored twice. */
#include "kernels/distances/distances.h"
#include "kernels/distances/pair.h"

/* Whether (j, i) is in the block as well, and was or will be stored with (i, j). */
static bool mirrored(const struct distances_call *call, int64_t i, int64_t j)
{
    const struct block *o = &call->block;
    return call->same && j >= o->row && j < o->row + o->rows && i >= o->col && i < o->col + o->cols;
}

void distances_symmetric(const struct distances_call *call, void *scratch)
{
    const struct block *o = &call->block;
    (void)scratch;
    for (int64_t i = o->row; i < o->row + o->rows; i++)
        for (int64_t j = o->col; j < o->col + o->cols; j++) {
            const bool twice = mirrored(call, i, j);
            if (twice && j < i)
                continue;
            const float d =
                pair_distance(view_row(&call->x, i), view_row(&call->y, j), call->dimensions);
            map_row(&call->map, i)[j] = d;
            if (twice)
                map_row(&call->map, j)[i] = d;
        }
}
