/* AVX2 with FMA: 8 lanes. */
#ifndef MAXPOOL_VECTOR_AVX2_H
#define MAXPOOL_VECTOR_AVX2_H

#include "kernels/vector/common.h"

#include <immintrin.h>

enum { LANES = 8, VECTOR_REGISTERS = 16 };
#define VECTOR_COLUMNS        1
#define VECTOR_GROUPS_OF_FOUR 0
#define VECTOR_PICKS          2
#define VECTOR_EIGHT          0

typedef __m256 vec;

VECTOR_INLINE vec vec_all(float x)
{
    return _mm256_set1_ps(x);
}

VECTOR_INLINE vec vec_load(const float *p)
{
    return _mm256_loadu_ps(p);
}

VECTOR_INLINE void vec_store(float *p, vec v)
{
    _mm256_storeu_ps(p, v);
}

VECTOR_INLINE void vec_stream(float *p, vec v)
{
    _mm256_stream_ps(p, v);
}

VECTOR_INLINE __m256i vec_first_lanes(int64_t n)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), lane);
}

/* Loads the lanes of the mask; the other lanes are `other`'s. A masked load leaves 0 in them: where
 * `other` is 0, nothing else remains of this. */
VECTOR_INLINE vec vec_load_of_mask(const float *p, __m256i mask, vec other)
{
    const __m256i loaded = _mm256_castps_si256(_mm256_maskload_ps(p, mask));
    return _mm256_castsi256_ps(loaded | (~mask & _mm256_castps_si256(other)));
}

VECTOR_INLINE vec vec_load_part(const float *p, int64_t n, vec other)
{
    return vec_load_of_mask(p, vec_first_lanes(n), other);
}

/* Stores four, two and one lane: a masked store takes 4 to 13 times as long on some processors
 * (Zen 3). */
VECTOR_INLINE void vec_store_part(float *p, vec v, int64_t n)
{
    __m128 left = _mm256_castps256_ps128(v);
    if (n == LANES) {
        vec_store(p, v);
        return;
    }
    if (n & 4) {
        _mm_storeu_ps(p, left);
        left = _mm256_extractf128_ps(v, 1);
        p += 4;
    }
    if (n & 2) {
        _mm_storel_pi((__m64 *)p, left);
        left = _mm_movehl_ps(left, left);
        p += 2;
    }
    if (n & 1)
        _mm_store_ss(p, left);
}

VECTOR_INLINE vec vec_max(vec a, vec b)
{
    return _mm256_max_ps(a, b);
}

VECTOR_INLINE vec vec_min(vec a, vec b)
{
    return _mm256_min_ps(a, b);
}

VECTOR_INLINE vec vec_multiply(vec a, vec b)
{
    return _mm256_mul_ps(a, b);
}

VECTOR_INLINE vec vec_add(vec a, vec b)
{
    return _mm256_add_ps(a, b);
}

VECTOR_INLINE vec vec_subtract(vec a, vec b)
{
    return _mm256_sub_ps(a, b);
}

VECTOR_INLINE vec vec_divide(vec a, vec b)
{
    return _mm256_div_ps(a, b);
}

VECTOR_INLINE vec vec_square_root(vec v)
{
    return _mm256_sqrt_ps(v);
}

VECTOR_INLINE vec vec_multiply_add(vec a, vec b, vec c)
{
    return _mm256_fmadd_ps(a, b, c);
}

/* Restores the order of the pairs of lanes: a shuffle works within halves and leaves 0 2 1 3. */
VECTOR_INLINE vec vec_halves_in_order(vec v)
{
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(v), 0xd8));
}

VECTOR_INLINE vec vec_even(vec a, vec b)
{
    return vec_halves_in_order(_mm256_shuffle_ps(a, b, 0x88));
}

VECTOR_INLINE vec vec_odd(vec a, vec b)
{
    return vec_halves_in_order(_mm256_shuffle_ps(a, b, 0xdd));
}

VECTOR_INLINE void vec_columns4(const float *p, int64_t stride, vec column[4])
{
    vec row[4];
    VECTOR_UNROLLED
    for (int t = 0; t < 4; t++, p += stride)
        row[t] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)),
                                      _mm_loadu_ps(p + 4 * stride), 1);
    const vec low01 = _mm256_unpacklo_ps(row[0], row[1]),
              low23 = _mm256_unpacklo_ps(row[2], row[3]);
    const vec high01 = _mm256_unpackhi_ps(row[0], row[1]),
              high23 = _mm256_unpackhi_ps(row[2], row[3]);
    column[0] = _mm256_shuffle_ps(low01, low23, 0x44);
    column[1] = _mm256_shuffle_ps(low01, low23, 0xee);
    column[2] = _mm256_shuffle_ps(high01, high23, 0x44);
    column[3] = _mm256_shuffle_ps(high01, high23, 0xee);
}

VECTOR_INLINE void vec_fence(void)
{
    _mm_sfence();
}

VECTOR_INLINE vec vec_load_every(const float *p, int64_t stride)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i element = _mm256_mullo_epi32(lane, _mm256_set1_epi32((int)stride));
    const __m256i vector = _mm256_srli_epi32(element, 3);
    vec picked = _mm256_permutevar8x32_ps(vec_load(p), element);
    for (int64_t i = 1; i <= (LANES - 1) * stride / LANES; i++) {
        const __m256i here = _mm256_cmpeq_epi32(vector, _mm256_set1_epi32((int)i));
        const vec moved = _mm256_permutevar8x32_ps(vec_load(p + i * LANES), element);
        picked = _mm256_blendv_ps(picked, moved, _mm256_castsi256_ps(here));
    }
    return picked;
}

/* 5 is odd, so among the five vectors from p on each lane has a wanted element exactly once. */
VECTOR_INLINE vec vec_load_every5(const float *p)
{
    const __m256i pick = _mm256_setr_epi32(0, 5, 2, 7, 4, 1, 6, 3);
    vec elements = _mm256_blend_ps(vec_load(p), vec_load(p + LANES), 0x84);
    elements = _mm256_blend_ps(elements, vec_load(p + 2 * LANES), 0x10);
    elements = _mm256_blend_ps(elements, vec_load(p + 3 * LANES), 0x42);
    elements = _mm256_blend_ps(elements, _mm256_broadcast_ss(p + 35), 0x08);
    return _mm256_permutevar8x32_ps(elements, pick);
}

typedef __m256i vec_mask; /* a set of lanes */
typedef __m256i
    vec_indices; /* per lane an element's number: 0 .. LANES - 1 of one vector, then another's */

/* Lanes [first, end). */
VECTOR_INLINE vec_mask vec_lanes(int64_t first, int64_t end)
{
    return _mm256_andnot_si256(vec_first_lanes(first), vec_first_lanes(end));
}

/* Loads the lanes of the set; the other lanes are `other`'s. */
VECTOR_INLINE vec vec_load_masked(const float *p, vec_mask lanes, vec other)
{
    return vec_load_of_mask(p, lanes, other);
}

VECTOR_INLINE void vec_store_masked(float *p, vec v, vec_mask lanes)
{
    _mm256_maskstore_ps(p, lanes, v);
}

VECTOR_INLINE vec vec_load_lanes(const float *p, int64_t first, int64_t end, vec other)
{
    return vec_load_masked(p, vec_lanes(first, end), other);
}

VECTOR_INLINE void vec_store_lanes(float *p, vec v, int64_t first, int64_t end)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i from = _mm256_add_epi32(lane, _mm256_set1_epi32((int)first));
    vec_store_part(p + first, _mm256_permutevar8x32_ps(v, from), end - first);
}

VECTOR_INLINE vec vec_delay(vec before, vec v, int64_t n)
{
    const __m256i b = _mm256_castps_si256(v);
    const __m256i across = _mm256_castps_si256(_mm256_permute2f128_ps(before, v, 0x21));
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i from = _mm256_sub_epi32(lane, _mm256_set1_epi32((int)n)); /* modulo LANES */
    switch (n) {
    case 1:
        return _mm256_castsi256_ps(_mm256_alignr_epi8(b, across, 12));
    case 2:
        return _mm256_castsi256_ps(_mm256_alignr_epi8(b, across, 8));
    case 4:
        return _mm256_castsi256_ps(across);
    default:
        return _mm256_blendv_ps(_mm256_permutevar8x32_ps(v, from),
                                _mm256_permutevar8x32_ps(before, from),
                                _mm256_castsi256_ps(vec_first_lanes(n)));
    }
}

VECTOR_INLINE vec vec_keep(vec v)
{
    __asm__("" : "+x"(v));
    return v;
}

/* ---- VECTOR_PICKS
 * --------------------------------------------------------------------------------
 */

VECTOR_INLINE vec_indices vec_indices_load(const int32_t element[LANES])
{
    return _mm256_loadu_si256((const __m256i *)element);
}

/* Each lane becomes its element of a followed by b. Bit 3 of the element's number, moved to the
 * sign, selects between them. */
VECTOR_INLINE vec vec_pick(vec a, vec b, vec_indices elements)
{
    const vec of_b = _mm256_castsi256_ps(_mm256_slli_epi32(elements, 28));
    return _mm256_blendv_ps(_mm256_permutevar8x32_ps(a, elements),
                            _mm256_permutevar8x32_ps(b, elements), of_b);
}

/* Each lane becomes its element of v. */
VECTOR_INLINE vec vec_permute(vec v, vec_indices elements)
{
    return _mm256_permutevar8x32_ps(v, elements);
}

/* Maxima of neighbours in a followed by b: lanes 0 and 1, 2 and 3 ... */
VECTOR_INLINE vec vec_pairs(vec a, vec b)
{
    return vec_halves_in_order(
        _mm256_max_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xdd)));
}

/* The lanes of the set from v, the others from `other`. */
VECTOR_INLINE vec vec_select(vec_mask lanes, vec v, vec other)
{
    return _mm256_blendv_ps(other, v, _mm256_castsi256_ps(lanes));
}

#endif
