/* The maximum of a window is the maximum of its columns' maxima: first down the k rows, then along
 * the row, 2 (k - 1) comparisons instead of k * k - 1, because neighbouring windows share columns.
 */
#include "kernels/isa.h"
#include "kernels/maxpool/maxima/maxima.h"
#include "kernels/maxpool/maxima/maxima_short.h"
#include "kernels/maxpool/maxpool.h"

static void pool_strips(const struct maxpool_call *call, struct maxima_room room, void *scratch)
{
    const struct along along = {.reach = 1};
    for (int64_t c = 0; c < call->block.cols; c += room.outputs) {
        const struct strip p = strip_make(call, room, c, room_row(room, scratch, 0));
        if (small_windows(call->geometry))
            small_rows(&p);
        else
            pool_rows(&p, room_row(room, scratch, 1), along);
    }
}

static void pool_planes(const struct maxpool_call *call, struct maxima_room room, void *scratch)
{
    for (int64_t i = 0; i < call->block.planes; i++) {
        const struct maxpool_call plane = call_plane(call, i);
        if (maxima_far_apart(call->geometry))
            maxpool_direct(&plane, scratch);
        else
            pool_strips(&plane, room, scratch);
    }
    maxima_finish(call->geometry);
}

/* Where the next page begins, which the outputs that gather have for themselves. With the end of a
 * page among them, 3072 planes of 28 x 28 (k = 3, s = 1) took 1.26 ms instead of 0.54 on Zen 4:
 * stores that cross it are slow, and one does each time the same lines are filled. */
static float *page_from(float *p)
{
    const uintptr_t past = (uintptr_t)p % (MAXIMA_GATHER * sizeof *p);
    return past == 0 ? p : p + (MAXIMA_GATHER - past / sizeof *p);
}

void ISA_FUNCTION(maxpool_separable)(const struct maxpool_call *call, void *scratch)
{
    const struct geometry *g = call->geometry;
    const struct maxima_room room = maxima_room(g, call->block.cols, g->kernel);
    if (short_serves(call))
        short_pool(call, room, scratch, page_from((float *)scratch + MAXIMA_COPIES * room.pitch));
    else
        pool_planes(call, room, scratch);
}
