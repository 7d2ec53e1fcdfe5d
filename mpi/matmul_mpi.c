#include "harness/point/point.h"
#include "mpi/mpi_space.h"

int main(int argc, char **argv)
{
    const struct program program = {"matmul_mpi", OPERATOR_MATMUL, &mpi_space, NULL};
    return point_main(&program, argc, argv);
}
