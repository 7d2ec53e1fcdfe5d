/* network_mpi with a fault in it: from its second timed execution on, the last rank spoils one of
 * its outputs, or where FAULT is "image" one cell of its images. Only tests run it. */
#include "mpi/group.h"
#include "networks/point/instance.h"
#include "networks/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

static enum status execute_wrong(struct instance *in, struct phases *phases, struct failure *f)
{
    static int executions;
    enum { WARMUP = 1 };
    const char *fault = getenv("FAULT");
    const enum status status = network_ranks.execute(in, phases, f);
    const bool image = fault && strcmp(fault, "image") == 0;
    float *spoilt = image ? (float *)in->forward.input : in->forward.output;
    if (++executions > WARMUP + 1 && group()->rank == group()->ranks - 1)
        spoilt[0] += 1.0f;
    return status;
}

int main(int argc, char **argv)
{
    struct space wrong = network_ranks;
    wrong.execute = execute_wrong;
    wrong.execute_batch = NULL; /* no execution but those that are counted */
    const struct program program = {.name = "wrong_network_mpi",
                                    .kind = &network_row,
                                    .space = &wrong,
                                    .subject = &network_subject};
    return point_main(&program, argc, argv);
}
