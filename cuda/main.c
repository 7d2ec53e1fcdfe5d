/* The programs of this space: compiled once for each operator, whose name the build tells. */
#include "cuda/cuda_space.h"
#include "harness/point/point.h"
#include "peers/peers.h"

int main(int argc, char **argv)
{
    const struct program program = {MAXPOOL_OPERATOR "_cuda", operator_find(MAXPOOL_OPERATOR),
                                    &cuda_space, &device_peers};
    return point_main(&program, argc, argv);
}
