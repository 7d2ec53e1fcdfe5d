/* Half of the pairs: the distance of two points of one matrix is computed once and stored twice. */
#include "kernels/distances/halves.h"
#include "kernels/distances/pair.h"

static void compute_part(const struct distances_call *call, const struct half *part, int64_t col,
                         int64_t end)
{
    for (int64_t i = part->first; i < part->end; i++)
        for (int64_t j = col; j < end; j++) {
            const float d =
                pair_distance(view_row(&call->x, i), view_row(&call->y, j), call->dimensions);
            map_row(&call->map, i)[j] = d;
            if (part->mirrored)
                map_row(&call->map, j)[i] = d;
        }
}

void distances_symmetric(const struct distances_call *call, void *scratch)
{
    const struct block *o = &call->block;
    (void)scratch;
    for (int64_t col = o->col; col < o->col + o->cols; col = half_columns_end(call, col))
        for (int p = 0; p < HALF_PARTS; p++) {
            const struct half part = half_part(call, col, p);
            compute_part(call, &part, col, half_columns_end(call, col));
        }
}
