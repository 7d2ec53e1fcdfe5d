/* The CUDA space: one GPU. In a build without CUDA, this space reports that with status 3. */
#ifndef MAXPOOL_CUDA_SPACE_H
#define MAXPOOL_CUDA_SPACE_H

#include "harness/space/space.h"

extern const struct space cuda_space;

#endif
