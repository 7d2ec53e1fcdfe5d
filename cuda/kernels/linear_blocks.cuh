/* One-dimensional grids, whose threads are numbered from 0. */
#ifndef MAXPOOL_CUDA_LINE_CUH
#define MAXPOOL_CUDA_LINE_CUH

#include <cuda_runtime.h>
#include <stdint.h>

enum { THREADS_MOST = 32 * 32 }; /* of a block */

static __device__ __forceinline__ int thread_of_block()
{
    return (int)(threadIdx.y * blockDim.x + threadIdx.x);
}

static __device__ __forceinline__ int threads_of_block()
{
    return (int)(blockDim.x * blockDim.y);
}

static __device__ __forceinline__ int64_t thread_of_line()
{
    return (int64_t)blockIdx.x * threads_of_block() + thread_of_block();
}

/* Returns the sum over a block's threads in thread 0, and 0 in all others. Sums are added in pairs,
 * always the same ones. All threads must call this. `sums` has a place for each thread, and may be
 * reused after the next barrier. */
static __device__ __forceinline__ float sum_of_block(float (&sums)[THREADS_MOST], float own)
{
    const int thread = thread_of_block();
    sums[thread] = own;
    for (int half = threads_of_block() / 2; half > 0; half /= 2) {
        __syncthreads(); /* all sums of the round before are there */
        if (thread < half)
            sums[thread] += sums[thread + half];
    }
    return thread == 0 ? sums[0] : 0.0f;
}

#endif
