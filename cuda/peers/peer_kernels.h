/* The kernels of struct device_tools (cuda/peers/peer.h). */
#ifndef MAXPOOL_CUDA_PEER_KERNELS_H
#define MAXPOOL_CUDA_PEER_KERNELS_H

#include "cuda/kernels/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

extern pool_kernel *const peer_pad_kernel, *const peer_maximum_kernel;
extern const struct conv_pair peer_windows_kernel, peer_biases_kernel;

#ifdef __cplusplus
}
#endif

#endif
