#include "mpi/times.h"

#include "mpi/group.h"
#include "mpi/start_skew.h"

#include <math.h>

void times_reduce(const struct rank_times *mine, bool staged, struct phases *phases)
{
    enum { DISTRIBUTE, COMPUTE, COLLECT, TOTAL, PRODUCT, START, DEVICE, COUNT };
    const bool known = !isnan(mine->start_error_s); /* in every rank or in none */
    const bool device = !isnan(mine->device_s);
    const double parts[COUNT] = {mine->distribute_s,
                                 mine->compute_s,
                                 mine->collect_s,
                                 mine->total_s,
                                 mine->product_s,
                                 known ? mine->start_error_s : 0.0,
                                 device ? mine->device_s : 0.0};
    double most[COUNT], sum;
    MPI_Allreduce(parts, most, COUNT, MPI_DOUBLE, MPI_MAX, group()->all);
    MPI_Allreduce(&mine->compute_s, &sum, 1, MPI_DOUBLE, MPI_SUM, group()->all);
    *phases = phases_none();
    phases->distribute_s = most[DISTRIBUTE];
    phases->compute_s = most[COMPUTE];
    phases->product_s = staged ? most[PRODUCT] : NAN;
    phases->collect_s = most[COLLECT];
    phases->total_s = most[TOTAL];
    phases->imbalance_s = most[COMPUTE] - sum / group()->ranks;
    phases->device_compute_s = device ? most[DEVICE] : NAN;
    phases->start_error_s = known ? most[START] : NAN;
    if (known)
        start_missed(phases->start_error_s);
}
