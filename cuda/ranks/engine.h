/* The GPU as the engine of an MPI rank. */
#ifndef MAXPOOL_GPU_ENGINE_H
#define MAXPOOL_GPU_ENGINE_H

#include "mpi/engine.h"

extern const struct engine gpu_engine;

#endif
