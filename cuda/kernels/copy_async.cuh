/* Copies from global to shared memory that proceed while the thread does other work: cp.async, from
 * sm_80 on. Older devices copy synchronously. Source: PTX ISA, "cp.async". */
#ifndef MAXPOOL_CUDA_COPY_ASYNC_CUH
#define MAXPOOL_CUDA_COPY_ASYNC_CUH

#include <cuda_runtime.h>

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

/* Waits for all copies that this thread has started. */
static __device__ __forceinline__ void copy_wait()
{
#ifdef CUDA_COPY_WAIT
    CUDA_COPY_WAIT();
#elif __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;\n" ::: "memory");
#endif
}

#endif
