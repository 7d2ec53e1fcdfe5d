/* Copies from global to shared memory that proceed while the thread does other work: cp.async, from
 * sm_80 on. Older devices copy synchronously. Source: PTX ISA, "cp.async". */
#ifndef MAXPOOL_CUDA_COPY_ASYNC_CUH
#define MAXPOOL_CUDA_COPY_ASYNC_CUH

#include <cuda_runtime.h>
#include <stdint.h>

/* Starts to copy ELEMENTS (1 or 4) floats. If `in_range` is false, it writes zeros and does not
 * read `from`. Both addresses are multiples of the bytes that are copied. */
template <int ELEMENTS>
static __device__ __forceinline__ void copy_begin(float *to, const float *from, bool in_range)
{
#ifdef CUDA_COPY_BEGIN /* defined by the tests */
    CUDA_COPY_BEGIN(to, from, ELEMENTS, in_range);
#elif __CUDA_ARCH__ >= 800
    const unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    const int bytes = in_range ? 4 * ELEMENTS : 0;
    if (ELEMENTS == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(shared), "l"(from),
                     "r"(bytes)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" ::"r"(shared), "l"(from),
                     "r"(bytes)
                     : "memory");
#else
    if (ELEMENTS == 4)
        *reinterpret_cast<float4 *>(to) = in_range ? *reinterpret_cast<const float4 *>(from)
                                                   : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    else
        *to = in_range ? *from : 0.0f;
#endif
}

/* The same for four floats that are always in range. */
static __device__ __forceinline__ void copy_four(float *to, const float *from)
{
#ifdef CUDA_COPY_BEGIN
    CUDA_COPY_BEGIN(to, from, 4, true);
#elif __CUDA_ARCH__ >= 800
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(from)
        : "memory");
#else
    *reinterpret_cast<float4 *>(to) = *reinterpret_cast<const float4 *>(from);
#endif
}

/* Waits for all copies that this thread has started. */
static __device__ __forceinline__ void copy_wait()
{
#ifdef CUDA_COPY_WAIT
    CUDA_COPY_WAIT();
#elif __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;\n" ::: "memory");
#endif
}

/* Returns the thread's number, which is read anew: the registers have no space to keep it, and what
 * follows from it, while the block multiplies. */
static __device__ __forceinline__ int thread_anew()
{
#ifdef __CUDA_ARCH__
    unsigned x, y;
    asm volatile("mov.u32 %0, %%tid.x;\n" : "=r"(x));
    asm volatile("mov.u32 %0, %%tid.y;\n" : "=r"(y));
    return (int)(y * blockDim.x + x);
#else
    return (int)(threadIdx.y * blockDim.x + threadIdx.x);
#endif
}

/* Copies rows of an operand into the tile `a`, four of the TERMS of a step at a time. A thread
 * copies of one row, and moves its pointer from step to step, so that no step computes an address.
 */
template <int THREADS, class TILES> struct row_copies {
    static constexpr int FOURS = TILES::TERMS / 4;
    static constexpr bool SERVE = TILES::ROWS * FOURS >= THREADS;
    static constexpr int EACH = SERVE ? TILES::ROWS * FOURS / THREADS : 1, ACROSS = FOURS / EACH;
    const float *from;

    /* The tile's first row begins at `first`, and others are `apart` floats apart. A row beyond
     * number `last` is replaced by that one: its sums are not stored. */
    __device__ __forceinline__ row_copies(const float *first, int64_t apart, int64_t last,
                                          int thread)
    {
        const int row = thread / ACROSS, term = 4 * (thread % ACROSS);
        from = first + (row < last ? row : last) * apart + term;
    }

    /* Returns where a thread's copies go: a position in the tile. */
    static __device__ __forceinline__ int place_of(int thread)
    {
        constexpr int ROW = sizeof(TILES::a[0]) / sizeof(float);
        return thread / ACROSS * ROW + 4 * (thread % ACROSS);
    }

    /* Starts to copy the next terms. */
    __device__ __forceinline__ void fetch(TILES &tiles, int place)
    {
        float *to = &tiles.a[0][0] + place;
#pragma unroll
        for (int n = 0; n < EACH; n++)
            copy_four(&to[4 * ACROSS * n], &from[4 * ACROSS * n]);
        from += TILES::TERMS;
    }
};

#endif
