/* network_mpi: the images of a batch are distributed to ranks. */
#include "networks/point/network_run.h"
#include "networks/ranks/ranks.h"

int main(int argc, char **argv)
{
    const struct program program = {.name = "network_mpi",
                                    .kind = &network_row,
                                    .space = &network_ranks,
                                    .subject = &network_subject};
    return point_main(&program, argc, argv);
}
