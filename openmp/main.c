/* The main function of this space's programs. It is compiled once for each operator; the build
 * defines the operator's name. */
#include "harness/point/point.h"
#include "openmp/omp.h"
#include "peers/peers.h"

int main(int argc, char **argv)
{
    const struct program program = {.name = MAXPOOL_OPERATOR "_omp",
                                    .kind = operator_find(MAXPOOL_OPERATOR),
                                    .space = &omp_space,
                                    .peers = &host_peers};
    return point_main(&program, argc, argv);
}
