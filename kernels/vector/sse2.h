/* SSE2, which every 64-bit x86 has: 4 lanes. */
#ifndef MAXPOOL_VECTOR_SSE2_H
#define MAXPOOL_VECTOR_SSE2_H

#include "kernels/vector/common.h"

#include <emmintrin.h>

enum { LANES = 4, VECTOR_REGISTERS = 16 };
#define VECTOR_COLUMNS        0
#define VECTOR_GROUPS_OF_FOUR 0
#define VECTOR_PICKS          0
#define VECTOR_EIGHT          0

typedef __m128 vec;

VECTOR_INLINE vec vec_all(float x)
{
    return _mm_set1_ps(x);
}

VECTOR_INLINE vec vec_load(const float *p)
{
    return _mm_loadu_ps(p);
}

VECTOR_INLINE void vec_store(float *p, vec v)
{
    _mm_storeu_ps(p, v);
}

VECTOR_INLINE void vec_stream(float *p, vec v)
{
    _mm_stream_ps(p, v);
}

VECTOR_INLINE vec vec_max(vec a, vec b)
{
    return _mm_max_ps(a, b);
}

VECTOR_INLINE vec vec_min(vec a, vec b)
{
    return _mm_min_ps(a, b);
}

VECTOR_INLINE vec vec_multiply(vec a, vec b)
{
    return _mm_mul_ps(a, b);
}

VECTOR_INLINE vec vec_add(vec a, vec b)
{
    return _mm_add_ps(a, b);
}

VECTOR_INLINE vec vec_subtract(vec a, vec b)
{
    return _mm_sub_ps(a, b);
}

VECTOR_INLINE vec vec_divide(vec a, vec b)
{
    return _mm_div_ps(a, b);
}

VECTOR_INLINE vec vec_square_root(vec v)
{
    return _mm_sqrt_ps(v);
}

VECTOR_INLINE vec vec_multiply_add(vec a, vec b, vec c)
{
    return _mm_add_ps(_mm_mul_ps(a, b), c);
}

VECTOR_INLINE vec vec_even(vec a, vec b)
{
    return _mm_shuffle_ps(a, b, 0x88);
}

VECTOR_INLINE vec vec_odd(vec a, vec b)
{
    return _mm_shuffle_ps(a, b, 0xdd);
}

VECTOR_INLINE void vec_columns4(const float *p, int64_t stride, vec column[4])
{
    for (int t = 0; t < 4; t++)
        column[t] = _mm_loadu_ps(p + t * stride);
    _MM_TRANSPOSE4_PS(column[0], column[1], column[2], column[3]);
}

VECTOR_INLINE vec vec_load_every5(const float *p)
{
    return _mm_setr_ps(p[0], p[5], p[10], p[15]);
}

VECTOR_INLINE void vec_fence(void)
{
    _mm_sfence();
}

VECTOR_INLINE vec vec_delay(vec before, vec v, int64_t n)
{
    const vec seam = _mm_shuffle_ps(before, v, 0x0f); /* the last of before twice, the first of v */
    switch (n) {
    case 0:
        return v;
    case 1:
        return _mm_shuffle_ps(seam, v, 0x98);
    case 2:
        return _mm_shuffle_ps(before, v, 0x4e);
    case 3:
        return _mm_shuffle_ps(before, seam, 0x89);
    default:
        return before;
    }
}

VECTOR_INLINE vec vec_keep(vec v)
{
    __asm__("" : "+x"(v));
    return v;
}

#include "kernels/vector/unmasked.h"

#endif
