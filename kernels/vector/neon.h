/* NEON of 64-bit Arm: 4 lanes. */
#ifndef MAXPOOL_VECTOR_NEON_H
#define MAXPOOL_VECTOR_NEON_H

#include "kernels/vector/common.h"

#include <arm_neon.h>

enum { LANES = 4, VECTOR_REGISTERS = 32 };
#define VECTOR_COLUMNS        0
#define VECTOR_GROUPS_OF_FOUR 1
#define VECTOR_PICKS          0
#define VECTOR_EIGHT          0

typedef float32x4_t vec;

VECTOR_INLINE vec vec_all(float x)
{
    return vdupq_n_f32(x);
}

VECTOR_INLINE vec vec_load(const float *p)
{
    return vld1q_f32(p);
}

VECTOR_INLINE void vec_store(float *p, vec v)
{
    vst1q_f32(p, v);
}

/* NEON has no streaming store of one register; this is an ordinary store. */
VECTOR_INLINE void vec_stream(float *p, vec v)
{
    vst1q_f32(p, v);
}

VECTOR_INLINE vec vec_max(vec a, vec b)
{
    return vmaxq_f32(a, b);
}

VECTOR_INLINE vec vec_min(vec a, vec b)
{
    return vminq_f32(a, b);
}

VECTOR_INLINE vec vec_multiply(vec a, vec b)
{
    return vmulq_f32(a, b);
}

VECTOR_INLINE vec vec_add(vec a, vec b)
{
    return vaddq_f32(a, b);
}

VECTOR_INLINE vec vec_subtract(vec a, vec b)
{
    return vsubq_f32(a, b);
}

VECTOR_INLINE vec vec_divide(vec a, vec b)
{
    return vdivq_f32(a, b);
}

VECTOR_INLINE vec vec_square_root(vec v)
{
    return vsqrtq_f32(v);
}

VECTOR_INLINE vec vec_multiply_add(vec a, vec b, vec c)
{
    return vfmaq_f32(c, a, b);
}

VECTOR_INLINE vec vec_even(vec a, vec b)
{
    return vuzp1q_f32(a, b);
}

VECTOR_INLINE vec vec_odd(vec a, vec b)
{
    return vuzp2q_f32(a, b);
}

VECTOR_INLINE void vec_columns4(const float *p, int64_t stride, vec column[4])
{
    const vec row0 = vld1q_f32(p), row1 = vld1q_f32(p + stride);
    const vec row2 = vld1q_f32(p + 2 * stride), row3 = vld1q_f32(p + 3 * stride);
    const float32x4x2_t low = vzipq_f32(row0, row2), high = vzipq_f32(row1, row3);
    const float32x4x2_t first = vzipq_f32(low.val[0], high.val[0]);
    const float32x4x2_t last = vzipq_f32(low.val[1], high.val[1]);
    column[0] = first.val[0];
    column[1] = first.val[1];
    column[2] = last.val[0];
    column[3] = last.val[1];
}

VECTOR_INLINE vec vec_load_every5(const float *p)
{
    const float elements[LANES] = {p[0], p[5], p[10], p[15]};
    return vld1q_f32(elements);
}

VECTOR_INLINE void vec_fence(void)
{
}

VECTOR_INLINE vec vec_delay(vec before, vec v, int64_t n)
{
    switch (n) {
    case 0:
        return v;
    case 1:
        return vextq_f32(before, v, 3);
    case 2:
        return vextq_f32(before, v, 2);
    case 3:
        return vextq_f32(before, v, 1);
    default:
        return before;
    }
}

VECTOR_INLINE vec vec_keep(vec v)
{
    __asm__("" : "+w"(v));
    return v;
}

#include "kernels/vector/unmasked.h"

#endif
