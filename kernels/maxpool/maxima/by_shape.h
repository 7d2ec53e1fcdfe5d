/* The vector variants of `separable`, one for each kind of shape:
 *   short_rows.h     planes whose rows are a few vectors long
 *   direct.c         windows far apart
 *   small_windows.h  k up to 3 and s up to 2, without a line
 *   maxima_fold.h    all others: the maxima down the columns form a line; along it, maxima are
 *                    taken in registers
 *
 * Included by files that are compiled once per instruction set (kernels/isa.h). */
#ifndef MAXPOOL_BY_SHAPE_H
#define MAXPOOL_BY_SHAPE_H

#include "kernels/maxpool/maxima/maxima.h"
#include "kernels/maxpool/maxima/short_rows.h"
#include "kernels/maxpool/maxpool.h"

static void strips_by_shape(const struct maxpool_call *call, struct maxima_room room, void *scratch)
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

static void planes_by_shape(const struct maxpool_call *call, struct maxima_room room, void *scratch)
{
    for (int64_t i = 0; i < call->block.planes; i++) {
        const struct maxpool_call plane = call_plane(call, i);
        if (maxima_far_apart(call->geometry))
            maxpool_direct(&plane, scratch);
        else
            strips_by_shape(&plane, room, scratch);
    }
    maxima_finish(call->geometry);
}

/* Returns the beginning of the next page, so that the collected outputs fit in one page. With a
 * page boundary among them, 3072 planes of 28 x 28 (k = 3, s = 1) took 1.26 ms instead of 0.54 on
 * Zen 4: stores that cross it are slow, and one does each time the same lines are filled. */
static float *next_page(float *p)
{
    const uintptr_t past = (uintptr_t)p % (MAXIMA_GATHER * sizeof *p);
    return past == 0 ? p : p + (MAXIMA_GATHER - past / sizeof *p);
}

MAXIMA_INLINE void pool_by_shape(const struct maxpool_call *call, struct maxima_room room,
                                 void *scratch)
{
    if (short_serves(call))
        short_pool(call, room, scratch, next_page((float *)scratch + MAXIMA_COPIES * room.pitch));
    else
        planes_by_shape(call, room, scratch);
}

#endif
