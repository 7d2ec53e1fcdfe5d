/* Signs of a launcher that starts copies of a program which know nothing of each other: it does not
 * belong to the program's MPI, or the program has none. */
#ifndef MAXPOOL_FOREIGN_H
#define MAXPOOL_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

struct foreign {
    int64_t copies;       /* that the environment speaks of; 0: no sign */
    const char *launcher; /* mpirun, srun */
    const char *variable; /* that holds the number */
    const char *advice;   /* what else may help; "" */
    bool first;           /* this is the first of them, as far as is known */
};

/* Reads the environment as it was before MPI_Init, which adds its own. `own`: the variable in which
 * the launchers of this MPI write the number of ranks; where it is set, it alone counts, because
 * the nearest launcher is this MPI's. Slurm's numbers count inside a step only: a batch script and
 * an interactive shell have those of the whole job. NULL: the program has no MPI. */
void foreign_find(const char *own, struct foreign *found);

#endif
