/* The GPU as what runs the networks of an MPI rank. */
#ifndef MAXPOOL_GPU_NETWORK_ENGINE_H
#define MAXPOOL_GPU_NETWORK_ENGINE_H

#include "networks/ranks/engine.h"

extern const struct network_engine gpu_network_engine;

#endif
