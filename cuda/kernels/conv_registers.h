/* The kernel of conv_registers.cu, which `tiled` takes for convolutions with many outputs. */
#ifndef MAXPOOL_CUDA_CONV_REGISTERS_H
#define MAXPOOL_CUDA_CONV_REGISTERS_H

#include "cuda/kernels/kernels.h"

enum {
    CONV_REGISTERS_BLOCK = 16, /* threads of a block, and */
    CONV_REGISTERS_EACH = 8,   /* outputs of a thread, each way */
    CONV_REGISTERS_SIDE = CONV_REGISTERS_BLOCK * CONV_REGISTERS_EACH /* filters, and pixels */
};

/* Returns the kernels for that size of windows. They take tasks without pieces, whose planes of the
 * grid are groups, with the weights in global memory. */
struct conv_pair conv_registers_of(int64_t kernel);

#endif
