/* Runs a convolution on the device, whole or with its terms cut into pieces. */
#ifndef MAXPOOL_CUDA_CONV_RUN_H
#define MAXPOOL_CUDA_CONV_RUN_H

#include "cuda/device.h"
#include "cuda/kernels/launch.h"

/* Returns the floats that the sums of a convolution's pieces take; 0 if it has no pieces. */
int64_t device_conv_parts(const struct conv_task *t);

/* Queues a convolution whose arrays are set, followed by the addition of its pieces' sums, if
 * any. */
enum status device_conv_run(const struct conv_pair *kernel, const struct launch *launch,
                            const struct conv_task *task, struct failure *f);

#endif
