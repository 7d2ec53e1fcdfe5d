/* The programs of this space: compiled once for each operator, whose name the build tells. */
#include "harness/point/point.h"
#include "mpi/mpi_space.h"

int main(int argc, char **argv)
{
    const struct program program = {MAXPOOL_OPERATOR "_mpi", operator_find(MAXPOOL_OPERATOR),
                                    &mpi_space, NULL};
    return point_main(&program, argc, argv);
}
