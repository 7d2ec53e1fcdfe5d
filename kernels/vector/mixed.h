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
/* Nothing is mixed. */
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

#if VECTOR_PICKS == 1
/* The same as vec_even and vec_odd. On Zen 4 an instruction that reads three registers delays
 * multiply-adds; these two instead, which mix within quarters and put pairs in order, hardly do. */
VECTOR_INLINE vec vec_pairs_in_order(vec mixed)
{
    const __m512i pairs = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    return _mm512_castsi512_ps(_mm512_permutexvar_epi64(pairs, _mm512_castps_si512(mixed)));
}

VECTOR_INLINE vec vec_even_in_two(vec a, vec b)
{
    return vec_pairs_in_order(_mm512_shuffle_ps(a, b, 0x88));
}

VECTOR_INLINE vec vec_odd_in_two(vec a, vec b)
{
    return vec_pairs_in_order(_mm512_shuffle_ps(a, b, 0xdd));
}

/* v moved up by one lane; the lowest comes from the end of `before`. */
VECTOR_INLINE vec vec_up_one(vec before, vec v)
{
    return _mm512_castsi512_ps(
        _mm512_alignr_epi32(_mm512_castps_si512(v), _mm512_castps_si512(before), 15));
}

/* v moved down by one lane; the highest comes from the start of `after`. */
VECTOR_INLINE vec vec_down_one(vec v, vec after)
{
    return _mm512_castsi512_ps(
        _mm512_alignr_epi32(_mm512_castps_si512(after), _mm512_castps_si512(v), 1));
}

/* The same, with 0 in all lanes but `lanes`. */
VECTOR_INLINE vec vec_up_one_if(vec_mask lanes, vec before, vec v)
{
    return _mm512_castsi512_ps(
        _mm512_maskz_alignr_epi32(lanes, _mm512_castps_si512(v), _mm512_castps_si512(before), 15));
}

VECTOR_INLINE vec vec_down_one_if(vec_mask lanes, vec v, vec after)
{
    return _mm512_castsi512_ps(
        _mm512_maskz_alignr_epi32(lanes, _mm512_castps_si512(after), _mm512_castps_si512(v), 1));
}
#endif

#endif
