/* The maximum of a window is the maximum of its columns' maxima: first down the k rows, then along
 * the row. This takes 2 (k - 1) comparisons instead of k * k - 1, because neighbouring windows
 * share columns.
 *
 * The plain loops here show the idea; they run if no vector instruction set is known (LANES is 1).
 * With vectors, each kind of shape has a variant of its own (maxima/by_shape.h), with bit-identical
 * results. */
#include "kernels/isa.h"
#include "kernels/maxpool/maxima/by_shape.h"
#include "kernels/maxpool/maxpool.h"

/* Computes output row `row` of a strip. Element 0 is where the strip's first window begins. */
static void plain_row(const struct strip *p, int64_t row, float *line)
{
    const int64_t k = p->kernel, s = p->stride;
    float *out = map_row(&p->call->map, p->call->block.row + row) + p->col;
    for (int64_t i = 0; i < p->elements; i++) { /* down the columns */
        line[i] = strip_element(p, row * s, i);
        for (int64_t t = 1; t < k; t++)
            line[i] = larger_of(strip_element(p, row * s + t, i), line[i]);
    }
    for (int64_t i = 0; i < p->outputs; i++) { /* along the row of their maxima */
        out[i] = line[i * s];
        for (int64_t t = 1; t < k; t++)
            out[i] = larger_of(line[i * s + t], out[i]);
    }
}

static void plain_plane(const struct maxpool_call *call, struct maxima_room room, void *scratch)
{
    for (int64_t c = 0; c < call->block.cols; c += room.outputs) {
        const struct strip p = strip_make(call, room, c, room_row(room, scratch, 0));
        for (int64_t row = 0; row < call->block.rows; row++)
            plain_row(&p, row, room_row(room, scratch, 1));
    }
}

void ISA_FUNCTION(maxpool_separable)(const struct maxpool_call *call, void *scratch)
{
    const struct geometry *g = call->geometry;
    const struct maxima_room room = maxima_room(g, call->block.cols, g->kernel);
    if (LANES > 1) {
        pool_by_shape(call, room, scratch);
        return;
    }
    for (int64_t i = 0; i < call->block.planes; i++) {
        const struct maxpool_call plane = call_plane(call, i);
        plain_plane(&plane, room, scratch);
    }
}
