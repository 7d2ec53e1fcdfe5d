/* Shared by the kernels of distances. Differences are computed directly, dimension by dimension in
 * order, so that D is exactly symmetric if both operands are the same points, and its diagonal is
 * 0. */
#ifndef MAXPOOL_CUDA_DISTANCES_CUH
#define MAXPOOL_CUDA_DISTANCES_CUH

#include "cuda/kernels/threads.cuh"

#include <math.h>

enum {
    DISTANCES_REGISTERS_BLOCK = 16, /* threads of a block of distances_registers.cu, and */
    DISTANCES_REGISTERS_EACH = 8    /* pairs of a thread, each way */
};

/* The kernel of distances_registers.cu, which `tiled` takes for many pairs. It takes points in
 * global memory. */
extern distances_kernel *const distances_by_registers;

struct add_square {
    static __device__ __forceinline__ float add(float sum, float x, float y)
    {
        const float difference = x - y;
        return sum + difference * difference;
    }
};

static __device__ __forceinline__ void set_distance(const struct distances_task &t, int64_t row,
                                                    int64_t col, float sum)
{
    t.map[row * t.cols + col] = sqrtf(sum);
    note_place(t.places, row * t.cols + col);
}

#endif
