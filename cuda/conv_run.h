/* A convolution on the device, whole or in pieces of its terms. */
#ifndef MAXPOOL_CUDA_CONV_RUN_H
#define MAXPOOL_CUDA_CONV_RUN_H

#include "cuda/device.h"
#include "cuda/kernels/launch.h"

/* Floats that the sums of a convolution's pieces take; 0 where it has none. */
int64_t device_conv_parts(const struct conv_task *t);

/* Queues a convolution whose arrays are set, and behind it the sums of its pieces. */
enum status device_conv_run(const struct conv_pair *kernel, const struct launch *launch,
                            const struct conv_task *task, struct failure *f);

#endif
