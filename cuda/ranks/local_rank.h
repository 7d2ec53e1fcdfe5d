/* The number of a rank among those of its computer, and the GPU that follows from it: pure
 * functions over the environment. */
#ifndef MAXPOOL_LOCAL_RANK_H
#define MAXPOOL_LOCAL_RANK_H

#include <stdbool.h>
#include <stdint.h>

/* As getenv(). */
typedef char *environment_variable(const char *name);

struct local_rank {
    int64_t number;       /* -1: no launcher left one */
    const char *variable; /* that holds it; NULL: none */
};

/* Sources: Open MPI, "Environment variables that can be used at the run time"; MPICH's hydra
 * (MPI_LOCALRANKID); MVAPICH2; Cray PALS; Slurm, srun(1), "Output environment variables". PMIx
 * leaves the local rank to PMIx_Get alone. Slurm's counts last, because its batch script and the
 * programs that it starts by mpirun have it too. */
struct local_rank local_rank_find(environment_variable *get);

/* Returns the GPU of a rank, of `devices` that it sees: the one that was asked for, otherwise
 * (asked < 0) that of its local rank, beginning again at 0 where there are more ranks than GPUs. */
int64_t local_rank_device(int64_t asked, int64_t number, int64_t devices);

/* True if a launcher started this process as one of several, or if PMIx says that it is a rank of
 * an unknown number. */
bool local_rank_launched(environment_variable *get);

#endif
