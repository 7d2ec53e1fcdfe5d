/* network_cuda for an emulated device. */
#include "cuda/emulation/programs/begin.h"
#include "cuda/network/space.h"
#include "cuda/ranks/ranks.h"
#include "networks/point/network_run.h"

int main(int argc, char **argv)
{
    struct space space;
    const struct program program = {.name = "network_cuda",
                                    .kind = &network_row,
                                    .space = &space,
                                    .subject = &network_subject,
                                    .emulated = true};
    emulation_begin();
    const enum status status = ranks_space(&network_cuda_space, program.name, &space);
    return status == STATUS_OK ? point_main(&program, argc, argv) : (int)status;
}
