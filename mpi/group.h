/* The ranks of this launch: who they are, where they sit, and how they stay together. */
#ifndef MAXPOOL_GROUP_H
#define MAXPOOL_GROUP_H

#include "harness/processes.h"

#include <mpi.h>
#include <stdint.h>

enum { GROUP_ROOT = 0 };

struct group {
    int rank, ranks;           /* in MPI_COMM_WORLD */
    int node_rank, node_ranks; /* among those on this computer */
    int64_t nodes;             /* computers taking part */
    MPI_Comm node;
    const char *launch; /* plain, mpirun, srun */
};

/* Set by mpi_processes.begin. */
const struct group *group(void);

extern const struct processes mpi_processes;

#endif
