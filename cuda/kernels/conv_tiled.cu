/* Convolution as a matrix product (implicit GEMM): weights (filters x terms) times windows (terms x
 * pixels), in tiles of shared memory. The matrix of windows is never stored: each step packs the
 * elements of some terms for the block's pixels directly from the image. A thread keeps EACH x EACH
 * sums in registers, so that each value it reads from a tile serves several multiplications.
 *
 * Two barriers protect the tiles, as in tiled.cu: one between packing and multiplying, one between
 * multiplying and the next packing. Pixels are numbered through all images of the batch, so that
 * small maps fill tiles too. Each group has its own tiles and its own planes of the grid.
 *
 * If tiles are few and terms many, as in small maps and fully connected layers, the terms are cut
 * into pieces, each with its own blocks (split-K). Another kernel adds their sums, in the order of
 * the pieces (conv_pass.cu). */
#include "cuda/kernels/conv_registers.h"
#include "cuda/kernels/conv_terms.cuh"
#include "cuda/kernels/skeleton.cuh"
#include "cuda/kernels/tile_pairs.cuh"

enum {
    GAP = 4,         /* floats between rows of a tile, so that packing has few bank conflicts */
    FEW_FILTERS = 4, /* per group; with fewer, tiles would be nearly empty */
};

template <int BLOCK_, int EACH_, int SIZE_, filter_memory MEMORY_, class INT_> struct tiling {
    using INT = INT_;
    static constexpr int BLOCK = BLOCK_, EACH = EACH_, SIZE = SIZE_;
    static constexpr filter_memory MEMORY = MEMORY_;
    static constexpr int SIDE = BLOCK * EACH; /* filters, and pixels, of a block */
    static constexpr int TERMS = BLOCK;       /* per step: a thread fetches EACH of each tile */
    struct tiles {
        float weights[TERMS][SIDE + GAP], windows[TERMS][SIDE + GAP];
    };
};

/* Fetches the weights of the filters from `first` on, for the terms from q0 on. Neighbouring
 * threads read neighbouring terms. */
template <class TILING, class INT>
static __device__ __forceinline__ void
fetch_weights(typename TILING::tiles &to, const struct conv_task &t,
              const float *__restrict__ weights, const struct term_piece<INT> &piece, INT first,
              INT q0)
{
    const INT q = q0 + (INT)threadIdx.x;
    for (int n = 0; n < TILING::EACH; n++) {
        const int filter = threadIdx.y + n * TILING::BLOCK;
        const bool in_range = first + filter < (INT)t.filters && q < piece.end;
        to.weights[threadIdx.x][filter] =
            in_range ? filter_at<TILING::MEMORY>(
                           weights, (piece.group * (INT)t.filters + first + filter) * piece.all + q)
                     : 0.0f;
    }
}

/* Packs EACH terms of the thread's pixel, BLOCK / EACH terms apart. */
template <class TILING, class INT>
static __device__ __forceinline__ void
pack_windows(typename TILING::tiles &to, const struct conv_task &t, const float *__restrict__ image,
             const struct term_piece<INT> &piece, const struct pixel<INT> &p, bool in_range, INT q0)
{
    const int thread = threadIdx.y * TILING::BLOCK + threadIdx.x;
    for (int n = 0; n < TILING::EACH; n++) {
        const int row = thread / TILING::SIDE + n * (TILING::BLOCK / TILING::EACH);
        float value = 0.0f;
        if (in_range && q0 + row < piece.end) {
            const struct term<INT> at = term_of<TILING::SIZE, INT>(t, q0 + row);
            const INT channel = piece.group * (INT)t.depth + at.channel;
            value = conv_element<INT>(t, image, p.image + channel * (INT)t.in.channel, p.top + at.i,
                                      p.left + at.j);
        }
        to.windows[row][thread % TILING::SIDE] = value;
    }
}

template <class TILING, class INT>
static __device__ __forceinline__ void
set_sums(const struct conv_task &t, const struct term_piece<INT> &piece, INT first_filter,
         INT first_pixel, const float (&sum)[TILING::EACH][TILING::EACH])
{
    const INT filter = first_filter + (INT)threadIdx.y * TILING::EACH;
#pragma unroll
    for (int j = 0; j < TILING::EACH; j++) {
        const INT number = first_pixel + (INT)threadIdx.x * TILING::EACH + j;
        const bool in_range = number < pixels_of<INT>(t);
        const struct pixel<INT> p = pixel_of<INT>(t, in_range ? number : 0);
#pragma unroll
        for (int i = 0; i < TILING::EACH; i++)
            if (in_range && filter + i < (INT)t.filters)
                set_sum<INT>(t, piece, piece.group * (INT)t.filters + filter + i, p, sum[i][j]);
    }
}

template <class TILING>
static __global__ void __launch_bounds__(TILING::BLOCK *TILING::BLOCK)
    conv_tiled(struct conv_task t)
{
    using INT = typename TILING::INT;
    alignas(16) static __shared__ typename TILING::tiles tiles;
    const float *__restrict__ image = t.image, *__restrict__ weights = t.weights;
    const INT k = TILING::SIZE == ANY_SIZE ? (INT)t.kernel : TILING::SIZE;
    const struct term_piece<INT> piece = piece_of_block<INT>(t, (INT)t.depth * k * k);
    const INT first_filter = (INT)t.first_filter + (INT)blockIdx.y * TILING::SIDE;
    const INT first_pixel = (INT)blockIdx.x * TILING::SIDE;
    const INT packed =
        first_pixel + (INT)(threadIdx.y * TILING::BLOCK + threadIdx.x) % TILING::SIDE;
    if (first_pixel >= pixels_of<INT>(t)) /* an empty task: the whole block returns */
        return;
    const bool in_range = packed < pixels_of<INT>(t);
    const struct pixel<INT> p = pixel_of<INT>(t, in_range ? packed : 0);
    float sum[TILING::EACH][TILING::EACH] = {};
    for (INT q0 = piece.first; q0 < piece.end; q0 += TILING::TERMS) {
        fetch_weights<TILING, INT>(tiles, t, weights, piece, first_filter, q0);
        pack_windows<TILING, INT>(tiles, t, image, piece, p, in_range, q0);
        __syncthreads(); /* the tiles are complete */
        add_pairs<add_product, TILING::BLOCK>(sum, tiles.weights, tiles.windows);
        __syncthreads(); /* no thread reads them any more */
    }
    set_sums<TILING, INT>(t, piece, first_filter, first_pixel, sum);
}

/* Tasks that need positions of 64 bits are rare, so those kernels are not compiled for single
 * sizes. */
template <int BLOCK, int EACH, int SIZE, enum filter_memory MEMORY>
static struct conv_pair pair_of()
{
    return {conv_tiled<tiling<BLOCK, EACH, SIZE, MEMORY, int32_t>>,
            conv_tiled<tiling<BLOCK, EACH, ANY_SIZE, MEMORY, int64_t>>};
}

template <int BLOCK, int EACH, int SIZE>
static struct conv_pair in_memory(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? pair_of<BLOCK, EACH, SIZE, FILTER_CONSTANT>()
                                     : pair_of<BLOCK, EACH, SIZE, FILTER_TRANSFERRED>();
}

template <int BLOCK, int EACH>
static struct conv_pair of_size(enum filter_memory memory, int64_t kernel)
{
    return kernel == 1   ? in_memory<BLOCK, EACH, 1>(memory)
           : kernel == 3 ? in_memory<BLOCK, EACH, 3>(memory)
                         : in_memory<BLOCK, EACH, ANY_SIZE>(memory);
}

enum { EACH_MOST = 4 }; /* of this file's kernels */

static int64_t pieces(const struct conv_task *t)
{
    return conv_pieces(t, 16 * EACH_MOST);
}

/* The first two are those of conv_registers.cu. Instructions are counted for k = 3. The last tiles
 * have fewer than 128, but wait as long for their 32 accesses to shared memory. */
static const struct tile_size *tile_sizes(int64_t block, enum filter_memory memory, int64_t pieces)
{
    static const struct tile_size all[] = {{{CONV_REGISTERS_MOST, CONV_REGISTERS_PIXELS}, 1207},
                                           {{CONV_REGISTERS_FEWER, CONV_REGISTERS_PIXELS}, 667},
                                           {{EACH_MOST, EACH_MOST}, 483},
                                           {{1, 1}, 128},
                                           {{0, 0}, 0}};
    const bool registers =
        block == CONV_REGISTERS_BLOCK && memory == FILTER_TRANSFERRED && pieces <= 1;
    return registers ? all : all + 2;
}

static struct conv_pair kernel(int64_t block, enum filter_memory memory, const struct conv_task *t,
                               struct elements_per_thread each)
{
    if (each.cols == CONV_REGISTERS_PIXELS)
        return conv_registers_of(t->kernel, each.rows);
    if (each.cols == 1)
        return block == 32 ? of_size<32, 1>(memory, t->kernel) : of_size<16, 1>(memory, t->kernel);
    return block == 32 ? of_size<32, EACH_MOST>(memory, t->kernel)
                       : of_size<16, EACH_MOST>(memory, t->kernel);
}

static bool serves(const struct conv_task *t)
{
    return t->filters >= FEW_FILTERS;
}

HOST_TABLE(conv_kernels, conv_tiled_kernels, {"tiled", false, constant_filter_address}, kernel,
           tile_sizes, pieces, serves, true, false);
