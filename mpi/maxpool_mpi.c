#include "harness/point/point.h"
#include "mpi/mpi_space.h"

int main(int argc, char **argv)
{
    const struct program program = {"maxpool_mpi", OPERATOR_MAXPOOL, &mpi_space, NULL};
    return point_main(&program, argc, argv);
}
