/* network_cuda for an emulated device. */
#include "cuda/emulation/programs/begin.h"
#include "cuda/network/space.h"
#include "networks/point/network_run.h"

int main(int argc, char **argv)
{
    const struct program program = {.name = "network_cuda",
                                    .kind = &network_row,
                                    .space = &network_cuda_space,
                                    .subject = &network_subject,
                                    .emulated = true};
    emulation_begin();
    return point_main(&program, argc, argv);
}
