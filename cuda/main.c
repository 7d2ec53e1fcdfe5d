/* The programs of this space. This file is compiled once per operator; the build defines its
 * name. */
#include "cuda/cuda_space.h"
#include "harness/point/point.h"
#include "harness/space/emulated.h"
#include "peers/peers.h"

int main(int argc, char **argv)
{
    const struct program program = {.name = MAXPOOL_OPERATOR "_cuda",
                                    .kind = operator_find(MAXPOOL_OPERATOR),
                                    .space = &cuda_space,
                                    .peers = &device_peers};
    const int refused = emulated_hand_over(program.name, argv);
    return refused ? refused : point_main(&program, argc, argv);
}
