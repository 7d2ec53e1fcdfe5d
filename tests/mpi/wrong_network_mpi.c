/* network_mpi with a planted fault: from its second timed execution on, the last rank changes one
 * of its outputs or, if FAULT is "image", one element of its images. If it is "idle", nothing is
 * executed any more; if it is "loses", messages are received into other memory: what the previous
 * execution left is then all correct. If it is "none", there is no fault, but messages have at most
 * 29 floats, and a longer message, or one whose tag exceeds 16, ends the program: MPI guarantees no
 * more than 2^31 - 1 and 32,767. Only tests run it. */
#include "mpi/group.h"
#include "mpi/messages.h"
#include "networks/point/instance.h"
#include "networks/ranks/ranks.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 29, LARGEST_TAG = 16, DISCARDED = 1024 };
static bool strict, losing;

int MPI_Isend(const void *data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (strict && (count > LONGEST || tag > LARGEST_TAG))
        MPI_Abort(comm, 77);
    return PMPI_Isend(data, count, type, rank, tag, comm, request);
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    static float discarded[DISCARDED];
    if (losing && count > DISCARDED)
        MPI_Abort(comm, 77);
    return PMPI_Irecv(losing ? discarded : data, count, type, rank, tag, comm, request);
}

static bool fault_is(const char *name)
{
    const char *fault = getenv("FAULT");
    return fault && strcmp(fault, name) == 0;
}

static enum status execute_wrong(struct instance *in, struct phases *phases, struct failure *f)
{
    static int executions;
    static struct phases before;
    enum { WARMUP = 1 };
    const bool wrong = ++executions > WARMUP + 1, last = group()->rank == group()->ranks - 1;
    losing = wrong && (fault_is("loses images") ? last : fault_is("loses outputs") && !last);
    if (wrong && fault_is("idle")) {
        *phases = before;
        return STATUS_OK;
    }
    const enum status status = network_ranks.execute(in, phases, f);
    before = *phases;
    float *spoilt = fault_is("image") ? (float *)in->forward.input : in->forward.output;
    if (wrong && last && (!getenv("FAULT") || fault_is("image")))
        spoilt[0] += 1.0f;
    return status;
}

int main(int argc, char **argv)
{
    struct space wrong = network_ranks;
    strict = fault_is("none");
    if (strict)
        messages_longest = LONGEST;
    else {
        wrong.execute = execute_wrong;
        wrong.execute_batch = NULL; /* only executions that are counted */
    }
    const struct program program = {.name = "wrong_network_mpi",
                                    .kind = &network_row,
                                    .space = &wrong,
                                    .subject = &network_subject};
    return point_main(&program, argc, argv);
}
