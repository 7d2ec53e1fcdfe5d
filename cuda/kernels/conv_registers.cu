/* Convolution as a matrix product, as in conv_tiled.cu, with 8 x 8 sums per thread: 16 elements
 * read from the tiles serve 64 multiplications instead of 8 serving 16. A block of 16 x 16 threads
 * computes 128 filters x 128 pixels in steps of 16 terms. While it multiplies one pair of tiles,
 * the next pair is copied into a second pair of buffers, as in registers.cu, and padding is copied
 * as zeros. So there is one barrier per step: after it, the copies of all threads have arrived, and
 * no thread still reads the other pair.
 *
 * Tiles of 64 filters x 128 pixels, with 4 x 8 sums per thread, are for convolutions of 64 filters
 * and for those whose large tiles would leave multiprocessors without a block.
 *
 * Terms are added in their order, one by one, so the sums have the bits of conv_tiled.cu. */
#include "cuda/kernels/conv_copies.cuh"
#include "cuda/kernels/conv_registers.h"
#include "cuda/kernels/register_tiles.cuh"

enum { BLOCK = CONV_REGISTERS_BLOCK, ACROSS = CONV_REGISTERS_PIXELS };

/* True if the outputs of four pixels, the first of which has a number divisible by 4, are adjacent
 * and aligned to 16 bytes, and their residuals adjacent too. */
static __device__ __forceinline__ bool fours_adjoin(const struct conv_task &t)
{
    const bool in_rows = t.out_cols % 4 == 0 && t.out.row % 4 == 0;
    const bool in_maps = t.out_rows * t.out_cols % 4 == 0 && t.out.row == t.out_cols &&
                         (!t.added || t.residual.row == t.out_cols);
    return !t.places && (in_rows || in_maps) && t.out.image % 4 == 0 && t.out.channel % 4 == 0 &&
           (uintptr_t)t.map % 16 == 0;
}

/* Stores the outputs of four pixels from `number` on, of the filters from `filter` on. Filters are
 * numbered within the group. */
template <int DOWN, class INT>
static __device__ __forceinline__ void set_four(const struct conv_task &t, INT group, INT filter,
                                                INT number, const float (&sum)[DOWN][ACROSS], int j)
{
    const struct pixel<INT> p = pixel_of<INT>(t, number);
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
        const INT own = filter + own_row<BLOCK>(i);
        const INT f = group * (INT)t.filters + own;
        if (own < (INT)t.filters)
            *reinterpret_cast<float4 *>(&t.map[p.output + f * (INT)t.out.channel]) =
                make_float4(conv_output<INT>(t, f, p.residual, sum[i][j]),
                            conv_output<INT>(t, f, p.residual + 1, sum[i][j + 1]),
                            conv_output<INT>(t, f, p.residual + 2, sum[i][j + 2]),
                            conv_output<INT>(t, f, p.residual + 3, sum[i][j + 3]));
    }
}

/* The same for one pixel. */
template <int DOWN, class INT>
static __device__ __forceinline__ void set_one(const struct conv_task &t, INT group, INT filter,
                                               INT number, const float (&sum)[DOWN][ACROSS], int j)
{
    const struct pixel<INT> p = pixel_of<INT>(t, number);
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
        const INT own = filter + own_row<BLOCK>(i);
        if (own < (INT)t.filters)
            set_conv<INT>(t, group * (INT)t.filters + own, p, sum[i][j]);
    }
}

template <int DOWN, class INT>
static __device__ __forceinline__ void set_sums(const struct conv_task &t,
                                                const struct conv_tile<INT> &tile,
                                                const float (&sum)[DOWN][ACROSS])
{
    const INT pixels = pixels_of<INT>(t);
    const bool fours = fours_adjoin(t);
#pragma unroll
    for (int j = 0; j < ACROSS; j++) {
        const INT number = tile.pixel + own_column<BLOCK>(j);
        if (fours && j % 4 == 0 && number < pixels)
            set_four<DOWN, INT>(t, tile.group, tile.filter, number, sum, j);
        if (!fours && number < pixels)
            set_one<DOWN, INT>(t, tile.group, tile.filter, number, sum, j);
    }
}

template <int DOWN, int SIZE, class INT>
static __global__ void __launch_bounds__(BLOCK *BLOCK, sizeof(INT) == sizeof(int32_t) ? 2 : 1)
    conv_registers(struct conv_task t)
{
    typedef tiling_of<BLOCK, DOWN, ACROSS> tiling;
    typedef conv_copies<BLOCK * BLOCK, SIZE, transferred_weights, tiles<tiling>, INT> copies_of;
    constexpr int PIXELS = tiles<tiling>::COLS, TERMS = tiles<tiling>::TERMS;
    alignas(16) static __shared__ struct tiles<tiling> pairs[2];
    alignas(16) static __shared__ typename copies_of::taps taps[2];
    const float *__restrict__ image = t.image, *__restrict__ weights = t.weights;
    const struct conv_tile<INT> tile = conv_tile_of<BLOCK * DOWN, PIXELS, SIZE, INT>(t);
    const struct term_piece<INT> all = {
        tile.group, 0, 0, tile.terms, tile.terms
    };
    const int thread = threadIdx.y * BLOCK + threadIdx.x;
    const INT own = tile.pixel + (INT)thread % PIXELS;
    const bool there = own < pixels_of<INT>(t);
    copies_of copies(t, image, weights, all, tile.filter, pixel_of<INT>(t, there ? own : 0), there,
                     thread);
    float sum[DOWN][ACROSS] = {};
    int now = 0;
    copies.set_taps(taps[0], t, all, 0);
    copies.set_taps(taps[1], t, all, TERMS);
    __syncthreads(); /* both tables are complete */
    copies.fetch(pairs[0], taps[0], t, weights, all, tile.filter, 0);
    for (INT q0 = 0; q0 < tile.terms; q0 += TERMS) {
        copy_wait();
        __syncthreads(); /* this pair is complete, and no thread reads the other one */
        if (q0 + TERMS < tile.terms)
            copies.fetch(pairs[1 - now], taps[1 - now], t, weights, all, tile.filter, q0 + TERMS);
        copies.set_taps(taps[now], t, all, q0 + 2 * TERMS);
        multiply<tiling>(sum, pairs[now]);
        now = 1 - now;
    }
    set_sums<DOWN, INT>(t, tile, sum);
}

template <int DOWN, int SIZE> static struct conv_pair pair_of()
{
    return {conv_registers<DOWN, SIZE, int32_t>, conv_registers<DOWN, ANY_SIZE, int64_t>};
}

template <int DOWN> static struct conv_pair of_size(int64_t kernel)
{
    return kernel == 1   ? pair_of<DOWN, 1>()
           : kernel == 3 ? pair_of<DOWN, 3>()
                         : pair_of<DOWN, ANY_SIZE>();
}

struct conv_pair conv_registers_of(int64_t kernel, int64_t filters)
{
    return filters == CONV_REGISTERS_MOST ? of_size<CONV_REGISTERS_MOST>(kernel)
                                          : of_size<CONV_REGISTERS_FEWER>(kernel);
}
