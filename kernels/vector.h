/* One vector of float32 lanes in the instruction set that the including file is compiled for:
 * AVX-512 (16 lanes), AVX2 (8), SSE2 or NEON (4), or plain C (1), each in a file of
 * kernels/vector/. Only what methods need; a method written with these names has the same source
 * for every set. The operations and what they do: kernels/vector/operations.h.
 *
 * Each set also defines
 *   LANES                  floats of a vector
 *   VECTOR_REGISTERS       vector registers that a method can rely on
 *   VECTOR_COLUMNS         1: a load broadcasts a scalar, and one step multiplies and adds
 *   VECTOR_GROUPS_OF_FOUR  1: registers suffice for four rows at a time
 *   VECTOR_PICKS           1: one instruction can mask any lanes of a load or a store, and one can
 *                          pick any lanes of two vectors: vec_mask, vec_indices;
 *                          2: a few instructions can, and a masked store takes long
 *   VECTOR_EIGHT           1: the set has vec8, with half as many lanes, which is as fast on
 *                          processors with twice as many units for it */
#ifndef MAXPOOL_VECTOR_H
#define MAXPOOL_VECTOR_H

#if defined(__AVX512F__)
#include "kernels/vector/avx512.h"
#elif defined(__AVX2__) && defined(__FMA__)
#include "kernels/vector/avx2.h"
#elif defined(__SSE2__)
#include "kernels/vector/sse2.h"
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include "kernels/vector/neon.h"
#else
#include "kernels/vector/generic.h"
#endif

#include "kernels/vector/operations.h"

/* Returns p, hidden from the compiler, so that what p points at is loaded where it is used. The
 * compiler would otherwise load it before the loop, fill the registers and spill them. */
VECTOR_INLINE const float *vec_hide_pointer(const float *p)
{
    __asm__("" : "+r"(p));
    return p;
}

/* Floats from p to the next address that vec_stream accepts. */
VECTOR_INLINE int64_t vec_misaligned(const float *p)
{
    const int64_t past = (int64_t)((uintptr_t)p / sizeof *p % LANES);
    return past == 0 ? 0 : LANES - past;
}

VECTOR_INLINE vec vec_zero(void)
{
    return vec_all(0.0f);
}

#endif
