/* Plain C for any other machine: 1 lane. */
#ifndef MAXPOOL_VECTOR_GENERIC_H
#define MAXPOOL_VECTOR_GENERIC_H

#include "kernels/vector/common.h"
#include <math.h>

enum { LANES = 1, VECTOR_REGISTERS = 16 };
#define VECTOR_COLUMNS        0
#define VECTOR_GROUPS_OF_FOUR 0
#define VECTOR_PICKS          0
#define VECTOR_EIGHT          0

typedef float vec;

VECTOR_INLINE vec vec_all(float x)
{
    return x;
}

VECTOR_INLINE vec vec_load(const float *p)
{
    return *p;
}

VECTOR_INLINE void vec_store(float *p, vec v)
{
    *p = v;
}

VECTOR_INLINE void vec_stream(float *p, vec v)
{
    *p = v;
}

VECTOR_INLINE vec vec_max(vec a, vec b)
{
    return a > b ? a : b;
}

VECTOR_INLINE vec vec_min(vec a, vec b)
{
    return a < b ? a : b;
}

VECTOR_INLINE vec vec_multiply(vec a, vec b)
{
    return a * b;
}

VECTOR_INLINE vec vec_add(vec a, vec b)
{
    return a + b;
}

VECTOR_INLINE vec vec_subtract(vec a, vec b)
{
    return a - b;
}

VECTOR_INLINE vec vec_divide(vec a, vec b)
{
    return a / b;
}

VECTOR_INLINE vec vec_square_root(vec v)
{
    return sqrtf(v);
}

VECTOR_INLINE vec vec_multiply_add(vec a, vec b, vec c)
{
    return a * b + c;
}

VECTOR_INLINE vec vec_even(vec a, vec b)
{
    (void)b;
    return a;
}

VECTOR_INLINE vec vec_odd(vec a, vec b)
{
    (void)a;
    return b;
}

VECTOR_INLINE void vec_columns4(const float *p, int64_t stride, vec column[4])
{
    (void)stride;
    for (int q = 0; q < 4; q++)
        column[q] = p[q];
}

VECTOR_INLINE vec vec_load_every5(const float *p)
{
    return p[0];
}

VECTOR_INLINE void vec_fence(void)
{
}

VECTOR_INLINE vec vec_delay(vec before, vec v, int64_t n)
{
    return n == 0 ? v : before;
}

VECTOR_INLINE vec vec_keep(vec v)
{
    return v;
}

#include "kernels/vector/unmasked.h"

#endif
