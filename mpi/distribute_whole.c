/* The matrix product and distances where an engine computes in every rank: it needs the whole right
 * operand for each line of the map. The root has the operand and broadcasts all of it in each
 * execution; it gathers the map, because only the root can verify it. */
#include "harness/base/clock.h"
#include "mpi/group.h"
#include "mpi/rank.h"

static int64_t right_floats(const struct instance *in)
{
    const struct image_shape s = operation_right(in->operation)->shape;
    return s.planes * s.rows * s.cols;
}

static float *right_values(const struct instance *in)
{
    return group()->rank == GROUP_ROOT ? operation_right(in->operation)->values : in->panels;
}

static enum status prepare(struct instance *in, struct failure *f)
{
    if (group()->rank == GROUP_ROOT)
        return STATUS_OK;
    in->panel_floats = right_floats(in);
    const size_t bytes = (size_t)in->panel_floats * sizeof(float);
    const enum status status =
        rank_allocate(in, &in->panels_block, bytes, "the right operand of this rank", f);
    in->panels = in->panels_block.block;
    return status;
}

static void execute(struct instance *in, struct rank_times *times)
{
    const double begin = clock_now();
    if (in->image_at_root)
        rank_scatter(in);
    messages_broadcast(right_values(in), right_floats(in), GROUP_ROOT);
    const double arrived = clock_now();
    rank_compute(in, in->band.map);
    rank_end(in, times, begin, arrived, 0.0);
}

const struct distributing distribute_whole = {
    .map_at_root = true, .prepare = prepare, .execute = execute};
