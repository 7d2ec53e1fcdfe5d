/* The MPI space: ranks, each with a band of the map's lines, and with threads of its own where
 * asked. */
#ifndef MAXPOOL_MPI_SPACE_H
#define MAXPOOL_MPI_SPACE_H

#include "harness/space/space.h"

extern const struct space mpi_space;

#endif
