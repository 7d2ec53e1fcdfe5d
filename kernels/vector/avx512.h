/* AVX-512: 16 lanes. */
#ifndef MAXPOOL_VECTOR_AVX512_H
#define MAXPOOL_VECTOR_AVX512_H

#include "kernels/vector/common.h"

#include <immintrin.h>

enum { LANES = 16, VECTOR_REGISTERS = 32 };
#define VECTOR_COLUMNS        1
#define VECTOR_GROUPS_OF_FOUR 1
#define VECTOR_PICKS          1
#define VECTOR_EIGHT          1

typedef __m512 vec;

VECTOR_INLINE vec vec_all(float x)
{
    return _mm512_set1_ps(x);
}

VECTOR_INLINE vec vec_load(const float *p)
{
    return _mm512_loadu_ps(p);
}

VECTOR_INLINE void vec_store(float *p, vec v)
{
    _mm512_storeu_ps(p, v);
}

VECTOR_INLINE void vec_stream(float *p, vec v)
{
    _mm512_stream_ps(p, v);
}

VECTOR_INLINE __mmask16 vec_first_lanes(int64_t n)
{
    return (__mmask16)((1u << (unsigned)n) - 1u);
}

VECTOR_INLINE vec vec_load_part(const float *p, int64_t n, vec other)
{
    return _mm512_mask_loadu_ps(other, vec_first_lanes(n), p);
}

VECTOR_INLINE void vec_store_part(float *p, vec v, int64_t n)
{
    _mm512_mask_storeu_ps(p, vec_first_lanes(n), v);
}

VECTOR_INLINE vec vec_max(vec a, vec b)
{
    return _mm512_max_ps(a, b);
}

VECTOR_INLINE vec vec_min(vec a, vec b)
{
    return _mm512_min_ps(a, b);
}

VECTOR_INLINE vec vec_multiply(vec a, vec b)
{
    return _mm512_mul_ps(a, b);
}

VECTOR_INLINE vec vec_add(vec a, vec b)
{
    return _mm512_add_ps(a, b);
}

VECTOR_INLINE vec vec_subtract(vec a, vec b)
{
    return _mm512_sub_ps(a, b);
}

VECTOR_INLINE vec vec_divide(vec a, vec b)
{
    return _mm512_div_ps(a, b);
}

VECTOR_INLINE vec vec_square_root(vec v)
{
    return _mm512_sqrt_ps(v);
}

VECTOR_INLINE vec vec_multiply_add(vec a, vec b, vec c)
{
    return _mm512_fmadd_ps(a, b, c);
}

VECTOR_INLINE vec vec_even(vec a, vec b)
{
    const __m512i pick =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_permutex2var_ps(a, pick, b);
}

VECTOR_INLINE vec vec_odd(vec a, vec b)
{
    const __m512i pick =
        _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return _mm512_permutex2var_ps(a, pick, b);
}

/* Transposes the 4 x 4 elements in each quarter. */
VECTOR_INLINE void vec_transpose_quarters(const vec row[4], vec column[4])
{
    const vec low01 = _mm512_unpacklo_ps(row[0], row[1]),
              low23 = _mm512_unpacklo_ps(row[2], row[3]);
    const vec high01 = _mm512_unpackhi_ps(row[0], row[1]),
              high23 = _mm512_unpackhi_ps(row[2], row[3]);
    column[0] = _mm512_shuffle_ps(low01, low23, 0x44);
    column[1] = _mm512_shuffle_ps(low01, low23, 0xee);
    column[2] = _mm512_shuffle_ps(high01, high23, 0x44);
    column[3] = _mm512_shuffle_ps(high01, high23, 0xee);
}

/* Quarter n of row[t] is loaded from p + (4n + t) * stride. */
VECTOR_INLINE void vec_columns4(const float *p, int64_t stride, vec column[4])
{
    vec row[4];
    VECTOR_UNROLLED
    for (int t = 0; t < 4; t++, p += stride) {
        row[t] = _mm512_castps128_ps512(_mm_loadu_ps(p));
        row[t] = _mm512_mask_broadcast_f32x4(row[t], 0x00f0, _mm_loadu_ps(p + 4 * stride));
        row[t] = _mm512_mask_broadcast_f32x4(row[t], 0x0f00, _mm_loadu_ps(p + 8 * stride));
        row[t] = _mm512_mask_broadcast_f32x4(row[t], 0xf000, _mm_loadu_ps(p + 12 * stride));
    }
    vec_transpose_quarters(row, column);
}

VECTOR_INLINE void vec_fence(void)
{
    _mm_sfence();
}

/* Reads whole each vector of [p, p + LANES * stride) that holds any of the elements, and moves
 * these to their lanes. */
VECTOR_INLINE vec vec_load_every(const float *p, int64_t stride)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i element = _mm512_mullo_epi32(lane, _mm512_set1_epi32((int)stride));
    const __m512i vector = _mm512_srli_epi32(element, 4); /* the lane: element mod 16 */
    vec picked = _mm512_permutexvar_ps(element, vec_load(p));
    for (int64_t i = 1; i <= (LANES - 1) * stride / LANES; i++) {
        const __mmask16 here = _mm512_cmpeq_epi32_mask(vector, _mm512_set1_epi32((int)i));
        picked = _mm512_mask_permutexvar_ps(picked, here, element, vec_load(p + i * LANES));
    }
    return picked;
}

/* 5 is odd, so among the five vectors from p on each lane has a wanted element exactly once. */
VECTOR_INLINE vec vec_load_every5(const float *p)
{
    const __m512i pick = _mm512_setr_epi32(0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11);
    vec elements = vec_load(p);
    elements = _mm512_mask_loadu_ps(elements, 0x4210, p + LANES);
    elements = _mm512_mask_loadu_ps(elements, 0x2108, p + 2 * LANES);
    elements = _mm512_mask_loadu_ps(elements, 0x1084, p + 3 * LANES);
    elements = _mm512_mask_loadu_ps(elements, 0x0842, p + 4 * LANES);
    return _mm512_permutexvar_ps(pick, elements);
}

typedef __mmask16 vec_mask; /* a set of lanes */
typedef __m512i
    vec_indices; /* per lane an element's number: 0 .. LANES - 1 of one vector, then another's */

/* Lanes [first, end). */
VECTOR_INLINE vec_mask vec_lanes(int64_t first, int64_t end)
{
    return (vec_mask)(vec_first_lanes(end) & ~vec_first_lanes(first));
}

/* Loads the lanes of the set; the other lanes are `other`'s. */
VECTOR_INLINE vec vec_load_masked(const float *p, vec_mask lanes, vec other)
{
    return _mm512_mask_loadu_ps(other, lanes, p);
}

VECTOR_INLINE void vec_store_masked(float *p, vec v, vec_mask lanes)
{
    _mm512_mask_storeu_ps(p, lanes, v);
}

VECTOR_INLINE vec vec_load_lanes(const float *p, int64_t first, int64_t end, vec other)
{
    return vec_load_masked(p, vec_lanes(first, end), other);
}

VECTOR_INLINE void vec_store_lanes(float *p, vec v, int64_t first, int64_t end)
{
    vec_store_masked(p, v, vec_lanes(first, end));
}

VECTOR_INLINE vec vec_delay(vec before, vec v, int64_t n)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i from = _mm512_add_epi32(lane, _mm512_set1_epi32((int)(LANES - n)));
    return _mm512_permutex2var_ps(before, from, v);
}

VECTOR_INLINE vec vec_keep(vec v)
{
    __asm__("" : "+v"(v));
    return v;
}

/* ---- VECTOR_PICKS
 * --------------------------------------------------------------------------------
 */

VECTOR_INLINE vec_indices vec_indices_load(const int32_t element[LANES])
{
    return _mm512_loadu_si512(element);
}

/* Each lane becomes its element of a followed by b. */
VECTOR_INLINE vec vec_pick(vec a, vec b, vec_indices elements)
{
    return _mm512_permutex2var_ps(a, elements, b);
}

/* Each lane becomes its element of v. */
VECTOR_INLINE vec vec_permute(vec v, vec_indices elements)
{
    return _mm512_permutexvar_ps(elements, v);
}

/* Maxima of neighbours in a followed by b: lanes 0 and 1, 2 and 3 ... */
VECTOR_INLINE vec vec_pairs(vec a, vec b)
{
    return _mm512_max_ps(vec_even(a, b), vec_odd(a, b));
}

/* The lanes of the set from v, the others from `other`. */
VECTOR_INLINE vec vec_select(vec_mask lanes, vec v, vec other)
{
    return _mm512_mask_mov_ps(other, lanes, v);
}

/* ---- VECTOR_EIGHT
 * --------------------------------------------------------------------------------
 */

/* A vector with half as many lanes, as fast on processors with twice as many units for it. */
typedef __m256 vec8;

VECTOR_INLINE vec8 vec8_zero(void)
{
    return _mm256_setzero_ps();
}

VECTOR_INLINE vec8 vec8_all(float x)
{
    return _mm256_set1_ps(x);
}

VECTOR_INLINE vec8 vec8_load(const float *p)
{
    return _mm256_loadu_ps(p);
}

VECTOR_INLINE void vec8_store(float *p, vec8 v)
{
    _mm256_storeu_ps(p, v);
}

VECTOR_INLINE vec8 vec8_load_part(const float *p, int64_t n, vec8 other)
{
    return _mm256_mask_loadu_ps(other, (__mmask8)vec_first_lanes(n), p);
}

VECTOR_INLINE void vec8_store_part(float *p, vec8 v, int64_t n)
{
    _mm256_mask_storeu_ps(p, (__mmask8)vec_first_lanes(n), v);
}

/* Returns a vector whose lower half is v and whose upper half is anything. */
VECTOR_INLINE vec vec8_widen(vec8 v)
{
    return _mm512_castps256_ps512(v);
}

VECTOR_INLINE vec8 vec8_max(vec8 a, vec8 b)
{
    return _mm256_max_ps(a, b);
}

VECTOR_INLINE vec8 vec8_min(vec8 a, vec8 b)
{
    return _mm256_min_ps(a, b);
}

VECTOR_INLINE vec8 vec8_add(vec8 a, vec8 b)
{
    return _mm256_add_ps(a, b);
}

/* Lanes [first, end) of those at p; the others are 0. */
VECTOR_INLINE vec8 vec8_load_lanes(const float *p, int64_t first, int64_t end)
{
    return _mm256_maskz_loadu_ps((__mmask8)vec_lanes(first, end), p);
}

/* Lanes 0, 2, 4 ... of v, and lanes 1, 3, 5 ... */
VECTOR_INLINE vec8 vec8_even(vec v)
{
    return _mm512_castps512_ps256(vec_even(v, v));
}

VECTOR_INLINE vec8 vec8_odd(vec v)
{
    return _mm512_castps512_ps256(vec_odd(v, v));
}

VECTOR_INLINE vec8 vec8_keep(vec8 v)
{
    __asm__("" : "+v"(v));
    return v;
}

VECTOR_INLINE vec8 vec8_multiply_add(vec8 a, vec8 b, vec8 c)
{
    return _mm256_fmadd_ps(a, b, c);
}

#endif
