/* maxpool_mpi with a planted fault: from its second timed execution on, the last rank changes one
 * output of its band or, if FAULT is "outside", writes directly after it. Only tests run it. */
#include "harness/point/point.h"
#include "mpi/group.h"
#include "mpi/mpi_space.h"
#include "tests/harness/write_outside.h"

#include <stdlib.h>

static enum status execute_wrong(struct instance *instance, struct phases *phases,
                                 struct failure *f)
{
    static int executions;
    enum { WARMUP = 1 };
    int64_t first, count;
    const enum status status = mpi_space.execute(instance, phases, f);
    float *map = (float *)mpi_space.map(instance, &first, &count);
    if (++executions <= WARMUP + 1 || group()->rank != group()->ranks - 1 || count == 0)
        return status;
    if (getenv("FAULT"))
        write_outside(map + count);
    else
        map[count / 2] += 1.0f;
    return status;
}

int main(int argc, char **argv)
{
    struct space wrong = mpi_space;
    wrong.execute = execute_wrong;
    wrong.execute_batch = NULL; /* only executions that are counted */
    const struct program program = {
        .name = "wrong_mpi", .kind = &maxpool_operator, .space = &wrong};
    return point_main(&program, argc, argv);
}
