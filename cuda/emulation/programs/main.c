/* The programs NAME_cuda for an emulated device. This file is compiled once per operator; the build
 * defines its name. */
#include "cuda/emulation/programs/begin.h"
#include "cuda/emulation/programs/counted_space.h"
#include "cuda/ranks/ranks.h"
#include "harness/point/point.h"
#include "peers/peers.h"

int main(int argc, char **argv)
{
    const struct space alone = counted_space();
    struct space space;
    const struct program program = {.name = MAXPOOL_OPERATOR "_cuda",
                                    .kind = operator_find(MAXPOOL_OPERATOR),
                                    .space = &space,
                                    .peers = &device_peers,
                                    .emulated = true};
    emulation_begin();
    const enum status status = ranks_space(&alone, program.name, &space);
    return status == STATUS_OK ? point_main(&program, argc, argv) : (int)status;
}
