#include "cuda/cuda_space.h"
#include "harness/point/point.h"
#include "peers/peers.h"

int main(int argc, char **argv)
{
    const struct program program = {"maxpool_cuda", OPERATOR_MAXPOOL, &cuda_space, &device_peers};
    return point_main(&program, argc, argv);
}
