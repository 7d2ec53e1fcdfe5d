/* network_cuda: the layers of a network on a GPU, or on one of each rank. */
#include "cuda/network/space.h"
#include "cuda/ranks/ranks.h"
#include "harness/space/emulated.h"
#include "networks/point/network_run.h"

int main(int argc, char **argv)
{
    struct space space;
    const struct program program = {
        .name = "network_cuda", .kind = &network_row, .space = &space, .subject = &network_subject};
    const int refused = emulated_hand_over(program.name, argv);
    if (refused)
        return refused;
    const enum status status = ranks_space(&network_cuda_space, program.name, &space);
    return status == STATUS_OK ? point_main(&program, argc, argv) : (int)status;
}
