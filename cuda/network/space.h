/* network_cuda: the layers of a network on a GPU. In a build without CUDA, this space reports that
 * with status 3. */
#ifndef MAXPOOL_CUDA_NETWORK_SPACE_H
#define MAXPOOL_CUDA_NETWORK_SPACE_H

#include "harness/space/space.h"

extern const struct space network_cuda_space;

#endif
