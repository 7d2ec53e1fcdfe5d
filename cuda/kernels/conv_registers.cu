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
#include "cuda/kernels/conv_registers.h"
#include "cuda/kernels/conv_terms.cuh"
#include "cuda/kernels/copy_async.cuh"
#include "cuda/kernels/tile_pairs.cuh"

enum {
    BLOCK = CONV_REGISTERS_BLOCK,
    ACROSS = CONV_REGISTERS_PIXELS,
    PIXELS = BLOCK * ACROSS,
    TERMS = BLOCK, /* per step: a thread fetches DOWN weights and ACROSS elements of windows */
    AT_ONCE = BLOCK * BLOCK / PIXELS, /* terms whose windows the block fetches at a time */
    GAP = 4                           /* floats between rows of a tile, as in conv_tiled.cu */
};

template <int DOWN> struct tiles {
    float weights[TERMS][BLOCK * DOWN + GAP], windows[TERMS][PIXELS + GAP];
};

/* Start to copy the terms from q0 on: of the tile's filters, neighbouring threads neighbouring
 * terms; and of the thread's pixel, every AT_ONCE-th term. */
template <int DOWN, class INT>
static __device__ __forceinline__ void
fetch_weights(struct tiles<DOWN> &to, const struct conv_task &t, const float *weights,
              const struct conv_tile<INT> &tile, INT q0)
{
    const INT q = q0 + (INT)threadIdx.x;
#pragma unroll
    for (int n = 0; n < DOWN; n++) {
        const int row = threadIdx.y + n * BLOCK;
        const INT filter = tile.filter + row;
        const bool in_range = filter < (INT)t.filters && q < tile.terms;
        const INT place = (tile.group * (INT)t.filters + filter) * tile.terms + q;
        copy_begin<1>(&to.weights[threadIdx.x][row], in_range ? &weights[place] : weights,
                      in_range);
    }
}

template <int SIZE, int DOWN, class INT>
static __device__ __forceinline__ void
fetch_windows(struct tiles<DOWN> &to, const struct conv_task &t, const float *image,
              const struct conv_tile<INT> &tile, const struct pixel<INT> &p, bool there, INT q0)
{
    const int thread = threadIdx.y * BLOCK + threadIdx.x;
#pragma unroll
    for (int n = 0; n < ACROSS; n++) {
        const int row = thread / PIXELS + n * AT_ONCE;
        const struct term<INT> at = term_of<SIZE, INT>(t, q0 + row);
        const INT y = p.top + at.i, x = p.left + at.j;
        const bool in_range =
            there && q0 + row < tile.terms && is_below(y, t.in_rows) && is_below(x, t.in_cols);
        const INT channel = tile.group * (INT)t.depth + at.channel;
        copy_begin<1>(&to.windows[row][thread % PIXELS],
                      in_range
                          ? &image[p.image + channel * (INT)t.in.channel + y * (INT)t.in.row + x]
                          : image,
                      in_range);
    }
}

template <int DOWN>
static __device__ __forceinline__ void multiply(float (&sum)[DOWN][ACROSS],
                                                const struct tiles<DOWN> &from)
{
#pragma unroll
    for (int q = 0; q < TERMS; q++)
        add_row<add_product, BLOCK>(sum, from.weights[q], from.windows[q]);
}

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
        const INT own = filter + pair_column<BLOCK, DOWN>(threadIdx.y, i);
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
        const INT own = filter + pair_column<BLOCK, DOWN>(threadIdx.y, i);
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
        const INT number = tile.pixel + pair_column<BLOCK, ACROSS>(threadIdx.x, j);
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
    alignas(16) static __shared__ struct tiles<DOWN> pairs[2];
    const float *__restrict__ image = t.image, *__restrict__ weights = t.weights;
    const struct conv_tile<INT> tile = conv_tile_of<BLOCK * DOWN, PIXELS, SIZE, INT>(t);
    const INT own = tile.pixel + (INT)(threadIdx.y * BLOCK + threadIdx.x) % PIXELS;
    const bool there = own < pixels_of<INT>(t);
    const struct pixel<INT> p = pixel_of<INT>(t, there ? own : 0);
    float sum[DOWN][ACROSS] = {};
    int now = 0;
    fetch_weights<DOWN, INT>(pairs[0], t, weights, tile, 0);
    fetch_windows<SIZE, DOWN, INT>(pairs[0], t, image, tile, p, there, 0);
    for (INT q0 = 0; q0 < tile.terms; q0 += TERMS) {
        copy_wait();
        __syncthreads(); /* this pair is complete, and no thread reads the other one */
        if (q0 + TERMS < tile.terms) {
            fetch_weights<DOWN, INT>(pairs[1 - now], t, weights, tile, q0 + TERMS);
            fetch_windows<SIZE, DOWN, INT>(pairs[1 - now], t, image, tile, p, there, q0 + TERMS);
        }
        multiply(sum, pairs[now]);
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
