/* The position of a thread in its grid, and the record of it for --show-indices. */
#ifndef MAXPOOL_CUDA_THREADS_CUH
#define MAXPOOL_CUDA_THREADS_CUH

#include "cuda/kernels/kernels.h"

#include <cuda_runtime.h>

static __device__ __forceinline__ int64_t row_of_thread()
{
    return (int64_t)blockIdx.y * blockDim.y + threadIdx.y;
}

static __device__ __forceinline__ int64_t col_of_thread()
{
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* The quotient of a position of either width. Positions are not negative. */
static __device__ __forceinline__ int32_t quotient(int32_t n, const struct divisor &by)
{
    return quotient_narrow(n, by);
}

static __device__ __forceinline__ int64_t quotient(int64_t n, const struct divisor &by)
{
    return n / by.by;
}

/* True if 0 <= n < count, in one comparison. */
static __device__ __forceinline__ bool is_below(int32_t n, int64_t count)
{
    return (uint32_t)n < (uint32_t)count;
}

static __device__ __forceinline__ bool is_below(int64_t n, int64_t count)
{
    return (uint64_t)n < (uint64_t)count;
}

static __device__ __forceinline__ void note_place(struct thread_place *places, int64_t element)
{
    if (!places)
        return;
    struct thread_place *p = &places[element];
    p->block_z = (int32_t)blockIdx.z;
    p->block_y = (int32_t)blockIdx.y;
    p->block_x = (int32_t)blockIdx.x;
    p->thread_y = (int32_t)threadIdx.y;
    p->thread_x = (int32_t)threadIdx.x;
    p->made++;
}

#endif
