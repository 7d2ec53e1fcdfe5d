/* The maximum of a window is the maximum of its columns' maxima: first down the k rows, then along
 * the row, 2 (k - 1) comparisons instead of k * k - 1, because neighbouring windows share columns.
 */
#include "kernels/isa.h"
#include "kernels/maxima.h"
#include "kernels/maxpool.h"

void ISA_FUNCTION(maxpool_separable)(const struct maxpool_call *call, void *scratch)
{
    const struct geometry *g = call->geometry;
    const struct maxima_room room = maxima_room(g, call->block.cols, g->kernel);
    const struct along along = {.reach = 1};
    if (maxima_far_apart(g)) {
        maxpool_direct(call, scratch);
        return;
    }
    for (int64_t c = 0; c < call->block.cols; c += room.outputs) {
        const struct strip p = strip_make(call, room, c, room_row(room, scratch, 0));
        if (small_windows(g))
            small_rows(&p);
        else
            pool_rows(&p, room_row(room, scratch, 1), along);
    }
    maxima_finish(g);
}
