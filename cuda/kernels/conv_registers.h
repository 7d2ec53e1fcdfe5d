/* The kernel of conv_registers.cu, which `tiled` takes for convolutions with many outputs. */
#ifndef MAXPOOL_CUDA_CONV_REGISTERS_H
#define MAXPOOL_CUDA_CONV_REGISTERS_H

#include "cuda/kernels/kernels.h"

enum {
    CONV_REGISTERS_BLOCK = 16, /* threads of a block, each way */
    CONV_REGISTERS_PIXELS = 8, /* of a thread */
    CONV_REGISTERS_MOST = 8,   /* filters of a thread, and */
    CONV_REGISTERS_FEWER = 4
};

/* Returns the kernels for that size of windows and so many filters per thread. They take tasks
 * without pieces, whose planes of the grid are groups, with the weights in global memory. */
struct conv_pair conv_registers_of(int64_t kernel, int64_t filters);

#endif
