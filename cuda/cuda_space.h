/* The CUDA space: one GPU. A build without CUDA has the same space, which says so with status 3. */
#ifndef MAXPOOL_CUDA_SPACE_H
#define MAXPOOL_CUDA_SPACE_H

#include "harness/space/space.h"

extern const struct space cuda_space;

#endif
