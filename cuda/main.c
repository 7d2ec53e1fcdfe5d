/* The programs of this space. This file is compiled once per operator; the build defines its
 * name. */
#include "cuda/cuda_space.h"
#include "cuda/ranks/ranks.h"
#include "harness/point/point.h"
#include "harness/space/emulated.h"
#include "peers/peers.h"

int main(int argc, char **argv)
{
    struct space space;
    const struct program program = {.name = MAXPOOL_OPERATOR "_cuda",
                                    .kind = operator_find(MAXPOOL_OPERATOR),
                                    .space = &space,
                                    .peers = &device_peers};
    const int refused = emulated_hand_over(program.name, argv);
    if (refused)
        return refused;
    const enum status status = ranks_space(&cuda_space, program.name, &space);
    return status == STATUS_OK ? point_main(&program, argc, argv) : (int)status;
}
