/* Products of small matrices by the tensor cores of a warp: D (16 x 8) = A (16 x TERMS) B (TERMS x
 * 8) + D, with operands in tf32 or bf16 and sums in float32. From sm_80 on; for an older
 * architecture the kernels are empty, and the host refuses them (cuda/cuda_space.c).
 *
 * Each lane holds a fragment of every matrix. With lane = 4 group + member:
 *
 *   A, register i of 4:  row group + 8 (i % 2),  terms from first_term(member, i / 2) on
 *   B, register i of 2:  column group,           terms from first_term(member, i) on
 *   D, element i of 4:   row group + 8 (i / 2),  column 2 member + i % 2
 *
 * A register holds one term in tf32, two adjacent ones in bf16, the first in its lower half.
 * Source: PTX ISA, "Matrix Fragments for mma.m16n8k8", "... mma.m16n8k16", and "cvt". */
#ifndef MAXPOOL_CUDA_MMA_CUH
#define MAXPOOL_CUDA_MMA_CUH

#include <cuda_runtime.h>
#include <stdint.h>

enum { MMA_ROWS = 16, MMA_COLS = 8, MMA_A = 4, MMA_B = 2, MMA_D = 4 };

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define CUDA_ROUND_TF32(to, x) asm("cvt.rna.tf32.f32 %0, %1;\n" : "=r"(to) : "f"(x))
#define CUDA_PACK_BF16(to, first, second)                                                          \
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;\n" : "=r"(to) : "f"(second), "f"(first))
#define CUDA_MMA(shape, d, a, b)                                                                   \
    asm volatile("mma.sync.aligned." shape " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "       \
                 "{%0, %1, %2, %3};\n"                                                             \
                 : "+f"((d)[0]), "+f"((d)[1]), "+f"((d)[2]), "+f"((d)[3])                          \
                 : "r"((a)[0]), "r"((a)[1]), "r"((a)[2]), "r"((a)[3]), "r"((b)[0]), "r"((b)[1]))
#elif !defined(CUDA_MMA) /* the emulation defines them */
#define CUDA_ROUND_TF32(to, x)            ((to) = 0, (void)(x))
#define CUDA_PACK_BF16(to, first, second) ((to) = 0, (void)(first), (void)(second))
#define CUDA_MMA(shape, d, a, b)          ((void)(d), (void)(a), (void)(b))
#endif

/* Operands of 11 significant bits, rounded to the nearest (of two, the one farther from 0). */
struct math_tf32 {
    enum { TERMS = 8, ADJACENT = 1 };

    static __device__ __forceinline__ int first_term(int member, int half)
    {
        return member + 4 * half;
    }
    /* The register of the term at `from`, in a row of A or in a column of B. */
    static __device__ __forceinline__ uint32_t in_row(const float *from)
    {
        uint32_t bits;
        CUDA_ROUND_TF32(bits, *from);
        return bits;
    }
    static __device__ __forceinline__ uint32_t in_column(const float *from, int /* apart */)
    {
        return in_row(from);
    }
    static __device__ __forceinline__ void add(float (&d)[MMA_D], const uint32_t (&a)[MMA_A],
                                               const uint32_t (&b)[MMA_B])
    {
        CUDA_MMA("m16n8k8.row.col.f32.tf32.tf32.f32", d, a, b);
    }
};

/* Operands of 8 significant bits, rounded to the nearest (of two, the even one). */
struct math_bf16 {
    enum { TERMS = 16, ADJACENT = 2 };

    static __device__ __forceinline__ int first_term(int member, int half)
    {
        return 2 * member + 8 * half;
    }
    /* The register of two terms: at `from`, which is aligned to 8 bytes, and after it; or `apart`
     * elements after it. */
    static __device__ __forceinline__ uint32_t in_row(const float *from)
    {
        const float2 two = *reinterpret_cast<const float2 *>(from);
        uint32_t bits;
        CUDA_PACK_BF16(bits, two.x, two.y);
        return bits;
    }
    static __device__ __forceinline__ uint32_t in_column(const float *from, int apart)
    {
        uint32_t bits;
        CUDA_PACK_BF16(bits, from[0], from[apart]);
        return bits;
    }
    static __device__ __forceinline__ void add(float (&d)[MMA_D], const uint32_t (&a)[MMA_A],
                                               const uint32_t (&b)[MMA_B])
    {
        CUDA_MMA("m16n8k16.row.col.f32.bf16.bf16.f32", d, a, b);
    }
};

#endif
