/* The root holds the image. It sends every rank its band, including the lines that neighbours share
 * with it, and gathers the map. */
#include "harness/base/clock.h"
#include "mpi/rank.h"

static void execute(struct instance *in, struct rank_times *times)
{
    const double begin = clock_now();
    rank_scatter(in);
    const double arrived = clock_now();
    rank_compute(in, in->band.map);
    rank_end(in, times, begin, arrived, 0.0);
}

const struct distributing lines_scatter = {.map_at_root = true, .execute = execute};
