/* One vector of float32 lanes in the instruction set that this file is compiled for: AVX-512 (16
 * lanes), AVX2 (8), SSE2 or NEON (4), or plain C (1), a file of kernels/vector/ each. What a method
 * needs and no more; a method written with these names is the same source for every set. The
 * operations and what they do: kernels/vector/operations.h.
 *
 * A set defines besides
 *   LANES                  floats of a vector
 *   VECTOR_REGISTERS       vector registers that a method can count on
 *   VECTOR_COLUMNS         1: a scalar is broadcast by its load, multiplied and added in one step
 *   VECTOR_GROUPS_OF_FOUR  1: registers suffice for four rows at a time
 *   VECTOR_PICKS           1: any lanes of a load or a store can be left out, and any lanes of two
 *                          vectors picked, in one instruction each: vec_mask, vec_indices;
 *                          2: likewise in a few, and a store that leaves lanes out takes long
 *   VECTOR_EIGHT           1: vec8, half as many lanes, is as fast on processors that have twice as
 *                          many units for them */
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

/* p, out of the compiler's sight: what it points at is loaded where it is used, instead of being
 * brought before the loop, where it would fill the registers and be spilled. */
VECTOR_INLINE const float *vec_afresh(const float *p)
{
    __asm__("" : "+r"(p));
    return p;
}

/* Floats from p up to the next address that vec_stream takes. */
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
