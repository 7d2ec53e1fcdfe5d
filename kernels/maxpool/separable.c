/* The maximum of a window is the maximum of its columns' maxima: first down the k rows, then along
 * the row. This takes 2 (k - 1) comparisons instead of k * k - 1, because neighbouring windows
 * share columns.
 *
 * The plain loops here show the idea; they run if no vector instruction set is known (LANES is 1).
 * With vectors, each kind of shape has a variant of its own, with bit-identical results:
 *   short_rows.h     planes whose rows are a few vectors long
 *   direct.c         windows far apart
 *   small_windows.h  k up to 3 and s up to 2, without a line
 *   maxima_fold.h    all others: the maxima down the columns form a line; along it, maxima are
 *                    taken in registers */
#include "kernels/isa.h"
#include "kernels/maxpool/maxima/maxima.h"
#include "kernels/maxpool/maxima/short_rows.h"
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
