/* network_cuda: the layers of a network on one GPU. */
#include "cuda/network/space.h"
#include "harness/space/emulated.h"
#include "networks/point/network_run.h"

int main(int argc, char **argv)
{
    const struct program program = {.name = "network_cuda",
                                    .kind = &network_row,
                                    .space = &network_cuda_space,
                                    .subject = &network_subject};
    const int refused = emulated_hand_over(program.name, argv);
    return refused ? refused : point_main(&program, argc, argv);
}
