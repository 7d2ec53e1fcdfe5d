/* The ranks of this launch: their numbers, their computers and cores, and their collective
 * operations. */
#ifndef MAXPOOL_GROUP_H
#define MAXPOOL_GROUP_H

#include "harness/machine/machine.h"
#include "harness/machine/processes.h"

#include <mpi.h>
#include <stdint.h>

enum { GROUP_ROOT = 0 };

struct rank_group {
    MPI_Comm all;              /* every rank: a copy of MPI_COMM_WORLD in which no library sends */
    int rank, ranks;           /* of this rank in `all`; their number */
    int node_rank, node_ranks; /* of this rank among the ranks on this computer; their number */
    int64_t nodes;             /* computers taking part */
    MPI_Comm node;             /* the ranks on this computer */
    MPI_Comm leaders;          /* the first rank of each computer; MPI_COMM_NULL in the others */
    int64_t allowed;           /* hardware threads this rank may run on, as the launcher bound it */
    int64_t alike;             /* ranks before this one on its computer with the same cores */
    int64_t threads;           /* of each rank where none are asked for: the root's OMP_NUM_THREADS,
                              otherwise 1 */
    const char *launch;        /* plain, mpirun, srun, simgrid */
};

/* Set by mpi_processes.begin. */
const struct rank_group *group(void);

extern const struct processes mpi_processes;

#endif
