/* maxpool_mpi that checks its ranks: an execution that is not the same in all of them, in method
 * and repeats, ends with status 4. Only tests run it. */
#include "harness/base/digest.h"
#include "harness/point/point.h"
#include "mpi/group.h"
#include "mpi/mpi_space.h"
#include "mpi/rank.h"

/* Hashes what this rank is about to do; fails in all ranks if they differ. */
static enum status check_alike(const struct instance *instance, int64_t repeats, struct failure *f)
{
    uint64_t mine = digest_mix((uint64_t)repeats), least, most;
    for (const char *at = operation_method(instance->operation); *at; at++)
        mine = digest_mix(mine + (unsigned char)*at);
    MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, group()->all);
    MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, group()->all);
    return least == most ? STATUS_OK
                         : fail(f, STATUS_RESOURCE, "the ranks do not execute the same");
}

static enum status execute_batch_watched(struct instance *instance, int64_t repeats,
                                         struct phases *phases, struct failure *f)
{
    const enum status status = check_alike(instance, repeats, f);
    return status == STATUS_OK ? mpi_space.execute_batch(instance, repeats, phases, f) : status;
}

static enum status execute_watched(struct instance *instance, struct phases *phases,
                                   struct failure *f)
{
    return execute_batch_watched(instance, 1, phases, f);
}

int main(int argc, char **argv)
{
    struct space watched = mpi_space;
    watched.execute = execute_watched;
    watched.execute_batch = execute_batch_watched;
    const struct program program = {
        .name = "watch_mpi", .kind = &maxpool_operator, .space = &watched};
    return point_main(&program, argc, argv);
}
