#include "harness/point.h"
#include "openmp/omp.h"

int main(int argc, char **argv)
{
    const struct program program = {"matmul_omp", OPERATOR_MATMUL, &omp_space};
    return point_main(&program, argc, argv);
}
