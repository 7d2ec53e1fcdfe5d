/* A batch of matrix products, each plane with its own B. Every rank has a band of the lines of A
 * and C, and receives the matrices B of the planes in its band. The root holds all of them and
 * gathers C, because only the root has everything that C is verified with. */
#include "harness/base/clock.h"
#include "kernels/min_max.h"
#include "mpi/group.h"
#include "mpi/rank.h"

/* The planes that a rank's band has lines of. */
static struct lines planes_of(const struct instance *in, int rank)
{
    const struct lines map = in->bands[rank].map;
    const int64_t rows = in->operation->map.rows, first = map.first / rows;
    const int64_t end = (lines_end(map) + rows - 1) / rows;
    return (struct lines){first, map.count > 0 ? end - first : 0};
}

static int64_t plane_floats(const struct instance *in)
{
    const struct image_shape b = operation_right(in->operation)->shape;
    return b.rows * b.cols;
}

static int64_t floats_of(const struct instance *in, int rank)
{
    return planes_of(in, rank).count * plane_floats(in);
}

/* Returns a rank's Bs: in the root among all of them, in other ranks among those received. */
static float *filters_of(const struct instance *in, int rank)
{
    return group()->rank == GROUP_ROOT ? operation_right(in->operation)->values +
                                             planes_of(in, rank).first * plane_floats(in)
                                       : in->panels;
}

static enum status prepare(struct instance *in, struct failure *f)
{
    const int rank = group()->rank;
    if (rank == GROUP_ROOT)
        return STATUS_OK;
    in->panel_floats = floats_of(in, rank);
    const size_t bytes = (size_t)in->panel_floats * sizeof(float);
    const enum status status =
        guarded_allocate(&in->panels_block, bytes, "the Bs of this rank's planes", f);
    in->panels = in->panels_block.block;
    return status;
}

static size_t pieces_of_filters(struct instance *in)
{
    return rank_pieces(in, floats_of);
}

static void multiply(struct instance *in)
{
    const struct image_shape b = operation_right(in->operation)->shape;
    const int rank = group()->rank;
    const struct rank_panel panel = {
        .rows = {filters_of(in, rank), b.cols, 0, b.rows, plane_floats(in)},
        .terms = b.rows,
        .plane = planes_of(in, rank).first};
    rank_multiply(in, &panel);
}

static void execute(struct instance *in, struct rank_times *times)
{
    const double begin = clock_now();
    if (in->image_at_root)
        rank_scatter(in);
    rank_send_parts(in, floats_of, filters_of);
    const double arrived = clock_now();
    multiply(in);
    rank_end(in, times, begin, arrived, 0.0);
}

const struct distributing distribute_planes = {
    .map_at_root = true, .pieces = pieces_of_filters, .prepare = prepare, .execute = execute};
