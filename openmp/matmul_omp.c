#include "harness/point/point.h"
#include "openmp/omp.h"
#include "peers/peers.h"

int main(int argc, char **argv)
{
    const struct program program = {"matmul_omp", OPERATOR_MATMUL, &omp_space, &host_peers};
    return point_main(&program, argc, argv);
}
