/* CUDA C++ for this machine's C++ compiler: a kernel is a function that a fiber calls for every
 * thread (emulation.h). Static shared memory is written `static __shared__`, which CUDA accepts
 * too, and dynamic shared memory is `extern __shared__ float pool_tile[]`; `study lab` rewrites
 * other declarations, and launches with <<< >>>. */
#ifndef CUDA_EMULATION_RUNTIME_H
#define CUDA_EMULATION_RUNTIME_H

#include <cuda_runtime_api.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CUDA_EMULATION 1

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) alignas(bytes)
#ifndef __restrict__
#define __restrict__ __restrict
#endif
#define __constant__
/* Kernels run in one thread of the host, and nothing else of theirs is local to a thread: so all
 * shared memory is in one place, which can be found and poisoned before every block. (A section of
 * its own would not hold variables of templates.) */
#if defined(__GNUC__) && !defined(__clang__)
#define __shared__ __constinit __thread /* GCC guards variables that might need a constructor */
#else
#define __shared__ __thread
#endif

enum { EMULATION_SHARED_BYTES = 48 * 1024 }; /* of a block, dynamic */
char *emulation_dynamic_shared();

struct uint3 {
    unsigned x, y, z;
};

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
};

/* Vectors of 8 and 16 bytes are loaded and stored at once, as on a device. */
#define EMULATION_VECTOR(name, element, bytes, ...)                                                \
    struct alignas(bytes) name {                                                                   \
        typedef element whole __attribute__((vector_size(bytes), may_alias));                      \
        element __VA_ARGS__;                                                                       \
        name() = default;                                                                          \
        name(const name &other)                                                                    \
        {                                                                                          \
            *reinterpret_cast<whole *>(this) = *reinterpret_cast<const whole *>(&other);           \
        }                                                                                          \
        name &operator=(const name &other)                                                         \
        {                                                                                          \
            *reinterpret_cast<whole *>(this) = *reinterpret_cast<const whole *>(&other);           \
            return *this;                                                                          \
        }
#define EMULATION_VECTOR_2(name, element, bytes)                                                   \
    EMULATION_VECTOR(name, element, bytes, x, y)                                                   \
    name(element x_, element y_) : x(x_), y(y_)                                                    \
    {                                                                                              \
    }                                                                                              \
    }                                                                                              \
    ;                                                                                              \
    static inline name make_##name(element x, element y)                                           \
    {                                                                                              \
        return {x, y};                                                                             \
    }
#define EMULATION_VECTOR_4(name, element, bytes)                                                   \
    EMULATION_VECTOR(name, element, bytes, x, y, z, w)                                             \
    name(element x_, element y_, element z_, element w_) : x(x_), y(y_), z(z_), w(w_)              \
    {                                                                                              \
    }                                                                                              \
    }                                                                                              \
    ;                                                                                              \
    static inline name make_##name(element x, element y, element z, element w)                     \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }
EMULATION_VECTOR_2(float2, float, 8)
EMULATION_VECTOR_2(int2, int, 8)
EMULATION_VECTOR_2(uint2, unsigned, 8)
EMULATION_VECTOR_2(double2, double, 16)
EMULATION_VECTOR_4(float4, float, 16)
EMULATION_VECTOR_4(int4, int, 16)
EMULATION_VECTOR_4(uint4, unsigned, 16)
EMULATION_VECTOR_4(uchar4, unsigned char, 4)

struct float3 {
    float x, y, z;
};

struct int3 {
    int x, y, z;
};

static inline float3 make_float3(float x, float y, float z)
{
    return {x, y, z};
}

static inline int3 make_int3(int x, int y, int z)
{
    return {x, y, z};
}

/* Of the running thread. */
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

#include "intrinsics.h"
#include "matrix.h"

void emulation_barrier(const char *kernel, const char *file, int line);
#define __syncthreads() emulation_barrier(__PRETTY_FUNCTION__, __FILE__, __LINE__)

/* Copies into shared memory arrive when the thread waits for them, and not before. */
void emulation_copy_begin(float *to, const float *from, int elements, bool there);
void emulation_copy_wait();
#define CUDA_COPY_BEGIN(to, from, elements, there) emulation_copy_begin(to, from, elements, there)
#define CUDA_COPY_WAIT()                           emulation_copy_wait()

/* Tensor cores. */
#define CUDA_ROUND_TF32(to, x)                     ((to) = emulation_tf32(x))
#define CUDA_PACK_BF16(to, first, second)                                                          \
    ((to) = emulation_bf16(first) | emulation_bf16(second) << 16)
#define CUDA_MMA(shape, d, a, b) emulation_mma(shape, d, a, b)

/* ---- launches ---------------------------------------------------------------------------------
 */

struct EmulationCall {
    const void *kernel;
    void (*thread)(const void *parameters);  /* what one thread does */
    const void *parameters;                  /* which the launch owns, */
    void (*release)(const void *parameters); /* and deletes with this */
    size_t parameter_bytes;
};

/* Queues the kernel. cudaGetLastError reports the error of an impossible launch. */
void emulation_launch(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
                      const EmulationCall &call, const void *instruction);

/* The call of a kernel, whose arguments are in the body. */
template <class BODY> EmulationCall emulation_call(const void *kernel, const BODY &body)
{
    return {kernel, [](const void *parameters) { (*static_cast<const BODY *>(parameters))(); },
            new BODY(body),
            [](const void *parameters) { delete static_cast<const BODY *>(parameters); },
            sizeof(BODY)};
}

#define CUDA_LAUNCH(kernel, grid, block, shared_bytes, stream, task)                               \
    emulation_launch(                                                                              \
        grid, block, shared_bytes, stream,                                                         \
        emulation_call(reinterpret_cast<const void *>(kernel), [=] { kernel(task); }), nullptr)

/* A launch that was written kernel<<<grid, block, shared_bytes, stream>>>(arguments). */
template <class KERNEL> struct EmulationConfigured {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    KERNEL *kernel;
    const void *instruction;
    template <class... ARGUMENTS> void operator()(ARGUMENTS... arguments) const
    {
        KERNEL *const called = kernel;
        emulation_launch(
            grid, block, shared_bytes, stream,
            emulation_call(reinterpret_cast<const void *>(called), [=] { called(arguments...); }),
            instruction);
    }
};

template <class KERNEL>
__attribute__((noinline)) EmulationConfigured<KERNEL>
emulation_configure(KERNEL *kernel, dim3 grid, dim3 block, size_t shared_bytes = 0,
                    cudaStream_t stream = nullptr)
{
    return {grid, block, shared_bytes, stream, kernel, __builtin_return_address(0)};
}

/* ---- the runtime's templates and default arguments --------------------------------------------
 */

void emulation_know_symbol(void *address, size_t bytes);

template <class T> cudaError_t cudaGetSymbolAddress(void **address, T &symbol)
{
    *address = const_cast<void *>(static_cast<const void *>(&symbol));
    emulation_know_symbol(*address, sizeof symbol);
    return cudaSuccess;
}

template <class T> cudaError_t cudaMalloc(T **out, size_t bytes)
{
    return cudaMalloc(reinterpret_cast<void **>(out), bytes);
}

template <class T> cudaError_t cudaMallocHost(T **out, size_t bytes)
{
    return cudaMallocHost(reinterpret_cast<void **>(out), bytes);
}

template <class T>
cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    void *address;
    cudaGetSymbolAddress(&address, symbol);
    return cudaMemcpy(static_cast<char *>(address) + offset, from, bytes, kind);
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    void *address;
    cudaGetSymbolAddress(&address, symbol);
    return cudaMemcpy(to, static_cast<char *>(address) + offset, bytes, kind);
}

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                          cudaMemcpyKind kind)
{
    return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

static inline cudaError_t cudaEventRecord(cudaEvent_t event)
{
    return cudaEventRecord(event, nullptr);
}

static inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event)
{
    return cudaStreamWaitEvent(stream, event, 0);
}

#endif
