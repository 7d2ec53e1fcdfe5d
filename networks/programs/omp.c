/* The threads of a team share the outputs of each layer, and the other work of the program. */
#include "openmp/omp.h"
#include "networks/programs/work.h"

static enum status open_omp(const struct job *job, struct instance **out,
                            struct resources *resources, struct failure *f)
{
    struct team team;
    const enum status status = omp_open_team(job, &team, resources, f);
    return status == STATUS_OK ? work.open(job, team, out, resources, f) : status;
}

int main(int argc, char **argv)
{
    return work_main("omp", true, open_omp, argc, argv);
}
