/* faces_omp: the threads of a team share the layers' outputs, and where a structure has a loop of
 * its own for them the distances. */
#include "networks/faces/faces.h"
#include "openmp/omp.h"

static enum status open_omp(const struct job *job, struct instance **out,
                            struct resources *resources, struct failure *f)
{
    struct team team;
    const enum status status = omp_open_team(job, &team, resources, f);
    return status == STATUS_OK ? faces_open(job, team, out, resources, f) : status;
}

static const struct space space = {.name = "omp",
                                   .has_threads = true,
                                   .open = open_omp,
                                   .join = faces_join,
                                   .poison = faces_poison,
                                   .execute = faces_execute,
                                   .map = faces_map,
                                   .close = faces_close};

int main(int argc, char **argv)
{
    const struct program program = {
        .name = "faces_omp", .kind = &faces_row, .space = &space, .subject = &faces_subject};
    return point_main(&program, argc, argv);
}
