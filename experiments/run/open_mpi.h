/* What Open MPI must be given before the study starts programs by it; other MPIs do not look. */
#ifndef MAXPOOL_OPEN_MPI_H
#define MAXPOOL_OPEN_MPI_H

/* Sets variables of this process's environment that its children inherit, each only where the user
 * has not set it. */
void open_mpi_prepare(void);

#endif
