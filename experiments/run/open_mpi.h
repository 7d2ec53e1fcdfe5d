/* Prepares this process's environment for programs that it starts with Open MPI; other MPIs ignore
 * it. */
#ifndef MAXPOOL_OPEN_MPI_H
#define MAXPOOL_OPEN_MPI_H

/* Sets environment variables for child processes, each only if the user has not set it. */
void open_mpi_prepare(void);

#endif
