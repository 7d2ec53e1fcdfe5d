/* Shared by the kernels: the filter in constant memory, the work of one thread, and the choice of a
 * compiled variant. Every kernel file includes this once and has its own constant memory. */
#ifndef MAXPOOL_CUDA_SKELETON_CUH
#define MAXPOOL_CUDA_SKELETON_CUH

#include "cuda/kernels/threads.cuh"

#include <math.h>

enum { BLOCK_MAX_THREADS = 32 * 32 }; /* registers are limited so that a block of 32 x 32 fits */

/* The host sets it before the first launch, so that a launch never sees another filter. */
static __constant__ float constant_filter[CONSTANT_ORDER * CONSTANT_ORDER];

static cudaError_t constant_filter_address(void **address)
{
    return cudaGetSymbolAddress(address, constant_filter);
}

/* Constant memory is fastest if all threads of a warp read one address, as in pooling. In the
 * product of a window neighbouring threads read neighbouring addresses, which it serves one by
 * one. */
template <enum filter_memory MEMORY>
static __device__ __forceinline__ float filter_at(const float *filter, int64_t place)
{
    return MEMORY == FILTER_CONSTANT ? constant_filter[place] : filter[place];
}

/* ---- the product of two matrices ---------------------------------------------------------------
 */

/* Returns the task of one plane. */
static __device__ __forceinline__ struct product_task plane_of(const struct product_task &t,
                                                               int64_t plane)
{
    struct product_task one = t;
    one.a += plane * t.a_plane;
    one.c += plane * t.c_plane;
    one.b_first += plane * t.b_plane;
    if (t.places)
        one.places += plane * t.c_plane;
    return one;
}

static __device__ __forceinline__ void set_element(const struct product_task &t, int64_t row,
                                                   int64_t col, float value)
{
    t.c[row * t.cols + col] = value;
    note_place(t.places, row * t.cols + col);
}

/* One element of C: a row of A times a column of B. */
template <enum filter_memory MEMORY>
static __device__ __forceinline__ float element(const struct product_task &t, int64_t row,
                                                int64_t col)
{
    const float *__restrict__ a = t.a, *__restrict__ b = t.b;
    float sum = 0.0f;
    for (int64_t q = 0; q < t.inner; q++)
        sum += a[row * t.inner + q] * filter_at<MEMORY>(b, t.b_first + q * t.cols + col);
    return sum;
}

/* ---- the product of a window, reduced ----------------------------------------------------------
 */

static __device__ __forceinline__ void set_output(const struct pool_task &t, int64_t plane,
                                                  int64_t row, int64_t col, float value)
{
    const int64_t output = plane * t.map_plane + row * t.out_cols + col;
    t.map[output] = value;
    note_place(t.places, output);
}

/* Returns pixel (row, col) of a plane of the padded band. INSIDE: the pixel is known to be inside
 * the band. */
template <bool INSIDE>
static __device__ __forceinline__ float pixel_at(const struct pool_task &t, const float *plane,
                                                 int64_t row, int64_t col)
{
    if (INSIDE || (row >= 0 && row < t.in_rows && col >= 0 && col < t.in_cols))
        return plane[row * t.in_cols + col];
    return t.pad;
}

/* Returns the maximum of W B for the window W that begins at (top, left). If the compiler knows the
 * size, the window stays in registers; any other is read pixel by pixel, from cache after the first
 * time. */
template <int SIZE, enum filter_memory MEMORY, bool INSIDE>
static __device__ __forceinline__ float
product_maximum(const struct pool_task &t, const float *plane, int64_t top, int64_t left)
{
    const float *__restrict__ filter = t.filter;
    const int64_t k = SIZE == ANY_SIZE ? t.kernel : SIZE;
    float window[SIZE == ANY_SIZE ? 1 : SIZE * SIZE];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            window[i * SIZE + j] = pixel_at<INSIDE>(t, plane, top + i, left + j);
    float best = -INFINITY;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            float sum = 0.0f;
            for (int64_t q = 0; q < k; q++) {
                const float w = SIZE == ANY_SIZE ? pixel_at<INSIDE>(t, plane, top + i, left + q)
                                                 : window[i * SIZE + q];
                sum += w * filter_at<MEMORY>(filter, q * k + j);
            }
            best = sum > best ? sum : best;
        }
    return best;
}

/* Returns output (row, col) of a plane. */
template <int SIZE, enum filter_memory MEMORY>
static __device__ __forceinline__ float output(const struct pool_task &t, int64_t plane,
                                               int64_t row, int64_t col)
{
    const float *__restrict__ image = t.image;
    const float *pixels = image + plane * t.in_rows * t.in_cols;
    const int64_t k = SIZE == ANY_SIZE ? t.kernel : SIZE;
    const int64_t top = row * t.stride + t.top, left = col * t.stride + t.left;
    const bool inside = top >= 0 && top + k <= t.in_rows && left >= 0 && left + k <= t.in_cols;
    return inside ? product_maximum<SIZE, MEMORY, true>(t, pixels, top, left)
                  : product_maximum<SIZE, MEMORY, false>(t, pixels, top, left);
}

#endif
