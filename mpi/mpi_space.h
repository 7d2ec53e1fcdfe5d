/* The MPI space: ranks, each with a band of the map's lines and, if requested, with its own
 * threads. */
#ifndef MAXPOOL_MPI_SPACE_H
#define MAXPOOL_MPI_SPACE_H

#include "harness/space/space.h"

extern const struct space mpi_space;

#endif
