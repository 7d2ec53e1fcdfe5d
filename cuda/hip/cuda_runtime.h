/* CUDA C++ for hipcc: its own keywords, vectors and launches are CUDA's. */
#ifndef MAXPOOL_HIP_RUNTIME_H
#define MAXPOOL_HIP_RUNTIME_H

#include <cuda_runtime_api.h>
#include <hip/hip_runtime.h>

#endif
