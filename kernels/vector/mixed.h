/* Even and odd lanes of two vectors, mixed: in the order in which the set picks them fastest. AVX2
 * shuffles within halves, and putting the halves in order takes as long again. vec_mix mixes lanes
 * that are in order, and puts mixed ones in order. */
#ifndef MAXPOOL_VECTOR_MIXED_H
#define MAXPOOL_VECTOR_MIXED_H

#include "kernels/vector.h"

#if defined(__AVX2__) && defined(__FMA__) && !defined(__AVX512F__)
/* Pairs of lanes have the order 0 2 1 3. */
VECTOR_INLINE vec vec_mix(vec v)
{
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(v), 0xd8));
}

VECTOR_INLINE vec vec_even_mixed(vec a, vec b)
{
    return _mm256_shuffle_ps(a, b, 0x88);
}

VECTOR_INLINE vec vec_odd_mixed(vec a, vec b)
{
    return _mm256_shuffle_ps(a, b, 0xdd);
}
#else
VECTOR_INLINE vec vec_mix(vec v)
{
    return v;
}

VECTOR_INLINE vec vec_even_mixed(vec a, vec b)
{
    return vec_even(a, b);
}

VECTOR_INLINE vec vec_odd_mixed(vec a, vec b)
{
    return vec_odd(a, b);
}
#endif

#endif
