#include "harness/point.h"
#include "openmp/omp.h"

int main(int argc, char **argv)
{
    const struct program program = {"maxpool_omp", OPERATOR_MAXPOOL, &omp_space};
    return point_main(&program, argc, argv);
}
