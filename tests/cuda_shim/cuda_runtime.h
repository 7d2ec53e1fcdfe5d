/* CUDA C++ for this machine's C++ compiler: a kernel is a function that a fiber calls for every
 * thread (shim.h). Static shared memory is written `static __shared__`, which CUDA accepts too. */
#ifndef CUDA_SHIM_RUNTIME_H
#define CUDA_SHIM_RUNTIME_H

#include "cuda_runtime_api.h"

#include <functional>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __constant__
/* All in one section, so that it can be poisoned before every block. */
#define __shared__ __attribute__((section("cuda_shared")))

struct uint3 {
    unsigned x, y, z;
};

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
};

struct alignas(8) float2 {
    float x, y;
};

struct alignas(16) float4 {
    float x, y, z, w;
};

static inline float2 make_float2(float x, float y)
{
    return {x, y};
}

static inline float4 make_float4(float x, float y, float z, float w)
{
    return {x, y, z, w};
}

/* Of the running thread. */
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

void shim_barrier(const char *kernel, const char *file, int line);
#define __syncthreads() shim_barrier(__PRETTY_FUNCTION__, __FILE__, __LINE__)

/* Copies into shared memory arrive when the thread waits for them, and not before. */
void shim_copy_begin(float *to, const float *from, int elements, bool there);
void shim_copy_wait();
#define CUDA_COPY_BEGIN(to, from, elements, there) shim_copy_begin(to, from, elements, there)
#define CUDA_COPY_WAIT()                           shim_copy_wait()

/* Queues the kernel. cudaGetLastError reports the error of an impossible launch. */
void shim_launch(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
                 const std::function<void()> &thread);
#define CUDA_LAUNCH(kernel, grid, block, shared_bytes, stream, task)                               \
    shim_launch(grid, block, shared_bytes, stream, [=] { kernel(task); })

void shim_know_symbol(void *address, size_t bytes);

template <class T> cudaError_t cudaGetSymbolAddress(void **address, T &symbol)
{
    *address = &symbol;
    shim_know_symbol(*address, sizeof symbol);
    return cudaSuccess;
}

#endif
