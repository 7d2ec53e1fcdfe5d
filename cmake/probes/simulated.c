/* A program of one rank for a simulated cluster: MaxpoolSimgrid.cmake compiles it with smpicc,
 * together with the file that knows SimGrid. */
#include "harness/machine/simulation.h"

#include <mpi.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    int level, rank;
    MPI_Comm node;
    MPI_Request request;
    MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Ibcast(&level, 1, MPI_INT, 0, node, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, &level, 1, MPI_INT, MPI_MAX, node);
    MPI_Comm_free(&node);
    simulation_spend(1e-6);
    free(simulation_is_here() ? NULL : simulation_fold(8));
    return MPI_Finalize();
}
