/* One vector of float32 lanes in the instruction set that this file is compiled for: AVX-512 (16
 * lanes), AVX2 (8), SSE2 or NEON (4), or plain C (1). What a method needs and no more; a method
 * written with these names is the same source for every set.
 *
 * Loads and stores take any address unless they say otherwise. Partial ones touch the first n
 * lanes only (0 <= n <= LANES), never memory beyond them. */
#ifndef MAXPOOL_VECTOR_H
#define MAXPOOL_VECTOR_H

#include <stdint.h>
#include <string.h>

#define VECTOR_INLINE static inline __attribute__((always_inline, unused))

/* Before a loop with a constant number of turns, at most 32: no loop remains, so that the arrays it
 * walks can be registers. */
#if defined(__clang__)
#define VECTOR_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define VECTOR_UNROLLED _Pragma("GCC unroll 32")
#endif

/* Before a loop of at most two turns in the builds that matter, and of any number in others. */
#if defined(__clang__)
#define VECTOR_UNROLLED_IF_SHORT
#else
#define VECTOR_UNROLLED_IF_SHORT _Pragma("GCC unroll 2")
#endif

/* Whether a scalar is broadcast by its load and multiplied and added in one step. */
#if defined(__AVX2__) && defined(__FMA__)
#define VECTOR_COLUMNS 1
#else
#define VECTOR_COLUMNS 0
#endif

/* Vector registers that a method can count on. LANES, further down, is the floats of one. */
#if defined(__AVX512F__) || defined(__aarch64__)
#define VECTOR_GROUPS_OF_FOUR 1
enum { VECTOR_REGISTERS = 32 };
#else
#define VECTOR_GROUPS_OF_FOUR 0
enum { VECTOR_REGISTERS = 16 };
#endif

#if defined(__AVX512F__)

#include <immintrin.h>

enum { LANES = 16 };
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

/* Past the caches; p on a multiple of the vector's bytes. Others see it after vec_fence. */
VECTOR_INLINE void vec_stream(float *p, vec v)
{
    _mm512_stream_ps(p, v);
}

VECTOR_INLINE __mmask16 vec_first_lanes(int64_t n)
{
    return (__mmask16)((1u << (unsigned)n) - 1u);
}

/* Lanes n and beyond become `other`'s. */
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

VECTOR_INLINE vec vec_multiply(vec a, vec b)
{
    return _mm512_mul_ps(a, b);
}

VECTOR_INLINE vec vec_add(vec a, vec b)
{
    return _mm512_add_ps(a, b);
}

/* a * b + c, rounded once where the set has it so. */
VECTOR_INLINE vec vec_multiply_add(vec a, vec b, vec c)
{
    return _mm512_fmadd_ps(a, b, c);
}

/* Lanes 0, 2, 4 … of a followed by b. */
VECTOR_INLINE vec vec_even(vec a, vec b)
{
    const __m512i pick =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_permutex2var_ps(a, pick, b);
}

/* Lanes 1, 3, 5 … of a followed by b. */
VECTOR_INLINE vec vec_odd(vec a, vec b)
{
    const __m512i pick =
        _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return _mm512_permutex2var_ps(a, pick, b);
}

/* Four rows of four cells in each quarter become four columns. */
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

/* column[q], lane w = p[w * stride + q], q < 4: four cells at each of LANES places. Quarter n of
 * row t is place 4n + t. */
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

/* p[0], p[stride], p[2 * stride] ...: each vector of [p, p + LANES * stride) that holds any of them
 * is read whole, and its lanes are put where they belong. */
VECTOR_INLINE vec vec_load_every(const float *p, int64_t stride)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i cell = _mm512_mullo_epi32(lane, _mm512_set1_epi32((int)stride));
    const __m512i vector = _mm512_srli_epi32(cell, 4); /* which lane of which vector: cell mod 16 */
    vec picked = _mm512_permutexvar_ps(cell, vec_load(p));
    for (int64_t i = 1; i <= (LANES - 1) * stride / LANES; i++) {
        const __mmask16 here = _mm512_cmpeq_epi32_mask(vector, _mm512_set1_epi32((int)i));
        picked = _mm512_mask_permutexvar_ps(picked, here, cell, vec_load(p + i * LANES));
    }
    return picked;
}

/* Defined where the set can leave out any lanes of a load or a store, and pick any lanes of two
 * vectors, in one instruction each: */
#define VECTOR_PICKS 1

typedef __mmask16 vec_mask; /* a set of lanes */
typedef __m512i
    vec_indices; /* a cell for each lane: 0 .. LANES - 1 of one vector, then another's */

/* Lanes [first, end). */
VECTOR_INLINE vec_mask vec_lanes(int64_t first, int64_t end)
{
    return (vec_mask)(vec_first_lanes(end) & ~vec_first_lanes(first));
}

/* The cells of the set alone; the other lanes become `other`'s. */
VECTOR_INLINE vec vec_load_masked(const float *p, vec_mask lanes, vec other)
{
    return _mm512_mask_loadu_ps(other, lanes, p);
}

VECTOR_INLINE void vec_store_masked(float *p, vec v, vec_mask lanes)
{
    _mm512_mask_storeu_ps(p, lanes, v);
}

VECTOR_INLINE vec_indices vec_indices_load(const int32_t cell[LANES])
{
    return _mm512_loadu_si512(cell);
}

/* For each lane its cell of a followed by b. */
VECTOR_INLINE vec vec_pick(vec a, vec b, vec_indices cells)
{
    return _mm512_permutex2var_ps(a, cells, b);
}

/* Lanes [first, end) of what lies at p, read alone; the others become `other`'s. */
VECTOR_INLINE vec vec_load_lanes(const float *p, int64_t first, int64_t end, vec other)
{
    return vec_load_masked(p, vec_lanes(first, end), other);
}

/* Stores lanes [first, end), which lie at p + first .. p + end. */
VECTOR_INLINE void vec_store_lanes(float *p, vec v, int64_t first, int64_t end)
{
    vec_store_masked(p, v, vec_lanes(first, end));
}

/* v moved up by n lanes, 0 <= n <= LANES, the lowest n taken from the end of `before`. */
VECTOR_INLINE vec vec_delay(vec before, vec v, int64_t n)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i from = _mm512_add_epi32(lane, _mm512_set1_epi32((int)(LANES - n)));
    return _mm512_permutex2var_ps(before, from, v);
}

/* Half as many lanes, as fast on processors that have twice as many units for them. */
#define VECTOR_EIGHT 1
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

VECTOR_INLINE vec8 vec8_max(vec8 a, vec8 b)
{
    return _mm256_max_ps(a, b);
}

VECTOR_INLINE vec8 vec8_multiply_add(vec8 a, vec8 b, vec8 c)
{
    return _mm256_fmadd_ps(a, b, c);
}

#elif defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

enum { LANES = 8 };
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

VECTOR_INLINE vec vec_load_part(const float *p, int64_t n, vec other)
{
    const __m256i mask = vec_first_lanes(n);
    return _mm256_blendv_ps(other, _mm256_maskload_ps(p, mask), _mm256_castsi256_ps(mask));
}

VECTOR_INLINE void vec_store_part(float *p, vec v, int64_t n)
{
    _mm256_maskstore_ps(p, vec_first_lanes(n), v);
}

VECTOR_INLINE vec vec_max(vec a, vec b)
{
    return _mm256_max_ps(a, b);
}

VECTOR_INLINE vec vec_multiply(vec a, vec b)
{
    return _mm256_mul_ps(a, b);
}

VECTOR_INLINE vec vec_add(vec a, vec b)
{
    return _mm256_add_ps(a, b);
}

VECTOR_INLINE vec vec_multiply_add(vec a, vec b, vec c)
{
    return _mm256_fmadd_ps(a, b, c);
}

/* The shuffle works within halves, which leaves the pairs of lanes in the order 0 2 1 3. */
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
    const __m256i cell = _mm256_mullo_epi32(lane, _mm256_set1_epi32((int)stride));
    const __m256i vector = _mm256_srli_epi32(cell, 3);
    vec picked = _mm256_permutevar8x32_ps(vec_load(p), cell);
    for (int64_t i = 1; i <= (LANES - 1) * stride / LANES; i++) {
        const __m256i here = _mm256_cmpeq_epi32(vector, _mm256_set1_epi32((int)i));
        const vec moved = _mm256_permutevar8x32_ps(vec_load(p + i * LANES), cell);
        picked = _mm256_blendv_ps(picked, moved, _mm256_castsi256_ps(here));
    }
    return picked;
}

VECTOR_INLINE vec vec_load_lanes(const float *p, int64_t first, int64_t end, vec other)
{
    const __m256i mask = _mm256_andnot_si256(vec_first_lanes(first), vec_first_lanes(end));
    return _mm256_blendv_ps(other, _mm256_maskload_ps(p, mask), _mm256_castsi256_ps(mask));
}

VECTOR_INLINE void vec_store_lanes(float *p, vec v, int64_t first, int64_t end)
{
    _mm256_maskstore_ps(p, _mm256_andnot_si256(vec_first_lanes(first), vec_first_lanes(end)), v);
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

#elif defined(__SSE2__)

#include <emmintrin.h>

enum { LANES = 4 };
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

VECTOR_INLINE vec vec_multiply(vec a, vec b)
{
    return _mm_mul_ps(a, b);
}

VECTOR_INLINE vec vec_add(vec a, vec b)
{
    return _mm_add_ps(a, b);
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

#elif defined(__ARM_NEON) && defined(__aarch64__)

#include <arm_neon.h>

enum { LANES = 4 };
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

/* NEON has no streaming store of one register: an ordinary one. */
VECTOR_INLINE void vec_stream(float *p, vec v)
{
    vst1q_f32(p, v);
}

VECTOR_INLINE vec vec_max(vec a, vec b)
{
    return vmaxq_f32(a, b);
}

VECTOR_INLINE vec vec_multiply(vec a, vec b)
{
    return vmulq_f32(a, b);
}

VECTOR_INLINE vec vec_add(vec a, vec b)
{
    return vaddq_f32(a, b);
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

#else

enum { LANES = 1 };
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

VECTOR_INLINE vec vec_multiply(vec a, vec b)
{
    return a * b;
}

VECTOR_INLINE vec vec_add(vec a, vec b)
{
    return a + b;
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

VECTOR_INLINE void vec_fence(void)
{
}

VECTOR_INLINE vec vec_delay(vec before, vec v, int64_t n)
{
    return n == 0 ? v : before;
}

#endif

/* Sets without masks go through a copy of the lanes that are there. */
#if !defined(__AVX2__)
VECTOR_INLINE vec vec_load_part(const float *p, int64_t n, vec other)
{
    float lanes[LANES];
    vec_store(lanes, other);
    for (int64_t i = 0; i < n; i++)
        lanes[i] = p[i];
    return vec_load(lanes);
}

VECTOR_INLINE void vec_store_part(float *p, vec v, int64_t n)
{
    float lanes[LANES];
    vec_store(lanes, v);
    for (int64_t i = 0; i < n; i++)
        p[i] = lanes[i];
}

VECTOR_INLINE vec vec_load_lanes(const float *p, int64_t first, int64_t end, vec other)
{
    float lanes[LANES];
    vec_store(lanes, other);
    for (int64_t i = first; i < end; i++)
        lanes[i] = p[i];
    return vec_load(lanes);
}

VECTOR_INLINE void vec_store_lanes(float *p, vec v, int64_t first, int64_t end)
{
    float lanes[LANES];
    vec_store(lanes, v);
    for (int64_t i = first; i < end; i++)
        p[i] = lanes[i];
}

VECTOR_INLINE vec vec_load_every(const float *p, int64_t stride)
{
    float lanes[LANES];
    for (int64_t i = 0; i < LANES; i++)
        lanes[i] = p[i * stride];
    return vec_load(lanes);
}
#endif

/* v, out of the compiler's sight: it stays in a register instead of being loaded anew by every
 * instruction that can take an operand from memory. */
VECTOR_INLINE vec vec_keep(vec v)
{
#if defined(__AVX512F__)
    __asm__("" : "+v"(v));
#elif defined(__SSE2__)
    __asm__("" : "+x"(v));
#elif defined(__aarch64__)
    __asm__("" : "+w"(v));
#endif
    return v;
}

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

#if !defined(VECTOR_EIGHT)
#define VECTOR_EIGHT 0
#endif

VECTOR_INLINE vec vec_zero(void)
{
    return vec_all(0.0f);
}

#endif
