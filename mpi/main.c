/* The programs of this space: compiled once per operator, whose name the build defines. */
#include "harness/point/point.h"
#include "mpi/mpi_space.h"

int main(int argc, char **argv)
{
    const struct program program = {.name = MAXPOOL_OPERATOR "_mpi",
                                    .kind = operator_find(MAXPOOL_OPERATOR),
                                    .space = &mpi_space};
    return point_main(&program, argc, argv);
}
