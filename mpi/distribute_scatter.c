/* The root holds the image: it sends every rank its band, the lines that neighbours share with it
 * included, and gathers the map. */
#include "harness/base/clock.h"
#include "mpi/rank.h"

static size_t pieces(struct instance *in)
{
    const size_t scatter = rank_scatter_pieces(in), collect = rank_collect_pieces(in);
    return scatter > collect ? scatter : collect;
}

static void execute(struct instance *in, struct rank_times *times)
{
    const double begin = clock_now();
    rank_scatter(in);
    const double arrived = clock_now();
    rank_compute(in, in->band.map);
    const double computed = clock_now();
    rank_collect(in, in->map);
    const double end = clock_now();
    times->distribute_s += arrived - begin;
    times->compute_s += computed - arrived;
    times->collect_s += end - computed;
}

const struct distributing lines_scatter = {
    .image_at_root = true, .map_at_root = true, .pieces = pieces, .execute = execute};
