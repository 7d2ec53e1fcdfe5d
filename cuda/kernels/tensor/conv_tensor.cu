/* Convolution by tensor cores, for --math tf32 and bf16: the matrix product of conv_tiled.cu
 * (weights times windows, which are packed from the image as they are needed) in the tiles of
 * tensor_tiles.cuh. A block computes 128 filters x 128 pixels in steps of 16 terms; while it
 * multiplies one pair of tiles, the next pair is copied into a second pair of buffers, and padding
 * is copied as zeros. So there is one barrier per step. If tiles are few and terms many, the terms
 * are cut into pieces, as in conv_tiled.cu.
 *
 * It serves every convolution, also one of few filters, whose tiles are nearly empty: no other
 * kernel rounds its operands. */
#include "cuda/kernels/conv_copies.cuh"
#include "cuda/kernels/skeleton.cuh"
#include "cuda/kernels/tensor/tensor_tiles.cuh"

template <enum filter_memory MEMORY_> struct weights_in {
    static constexpr enum filter_memory MEMORY = MEMORY_;

    static __device__ __forceinline__ float at(const float *weights, int64_t place)
    {
        return filter_at<MEMORY>(weights, place);
    }
};

template <class MATH_, int BLOCK_, int SIZE_, enum filter_memory MEMORY_, class INT_>
struct tensor_conv {
    using INT = INT_; using MATH = MATH_; using warp = tensor_warp<BLOCK_>;
    static constexpr int BLOCK = BLOCK_, SIZE = SIZE_, THREADS = BLOCK *BLOCK;
    static constexpr filter_memory MEMORY = MEMORY_;
    typedef tensor_tiles<MATH>
        tiles;
    typedef conv_copies<THREADS, SIZE, weights_in<MEMORY>, tiles, INT>
        copies;
};

/* Stores the outputs of one pixel: those of column `i` of the two that a lane has of product j. */
template <class KIND, class INT, int DOWN, int ACROSS>
static __device__ __forceinline__ void
set_pixel(const struct conv_task &t, const struct term_piece<INT> &piece, INT first,
          const struct pixel<INT> &p, const float (&sums)[DOWN][ACROSS][MMA_D],
          const typename KIND::warp &w, int j, int i)
{
#pragma unroll
    for (int d = 0; d < DOWN; d++)
#pragma unroll
        for (int below = 0; below < 2; below++) {
            const INT own = first + w.row + d * MMA_ROWS + w.group + 8 * below;
            if (own < (INT)t.filters)
                set_sum<INT>(t, piece, piece.group * (INT)t.filters + own, p,
                             sums[d][j][2 * below + i]);
        }
}

template <class KIND, class INT, int DOWN, int ACROSS>
static __device__ __forceinline__ void
set_sums(const struct conv_task &t, const struct term_piece<INT> &piece, INT first_filter,
         INT first_pixel, const float (&sums)[DOWN][ACROSS][MMA_D], const typename KIND::warp &w)
{
    const INT pixels = pixels_of<INT>(t);
#pragma unroll
    for (int j = 0; j < ACROSS; j++)
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const INT number = first_pixel + w.col + j * MMA_COLS + 2 * w.member + i;
            if (number < pixels)
                set_pixel<KIND, INT>(t, piece, first_filter, pixel_of<INT>(t, number), sums, w, j,
                                     i);
        }
}

template <class KIND>
static __global__ void
__launch_bounds__(KIND::THREADS, KIND::BLOCK == 16 && sizeof(typename KIND::INT) == 4 ? 2 : 1)
    conv_tensor(struct conv_task t)
{
    using INT = typename KIND::INT;
    using warp = typename KIND::warp;
    alignas(16) static __shared__ typename KIND::tiles pairs[2];
    alignas(16) static __shared__ typename KIND::copies::taps taps[2];
    const float *__restrict__ image = t.image, *__restrict__ weights = t.weights;
    const INT k = KIND::SIZE == ANY_SIZE ? (INT)t.kernel : KIND::SIZE;
    const struct term_piece<INT> piece = piece_of_block<INT>(t, (INT)t.depth * k * k);
    const INT first_filter = (INT)t.first_filter + (INT)blockIdx.y * TENSOR_TILE;
    const INT first_pixel = (INT)blockIdx.x * TENSOR_TILE;
    const int thread = threadIdx.y * KIND::BLOCK + threadIdx.x;
    const INT own = first_pixel + thread % TENSOR_TILE;
    const bool there = own < pixels_of<INT>(t);
    const warp w(thread);
    typename KIND::copies copies(t, image, weights, piece, first_filter,
                                 pixel_of<INT>(t, there ? own : 0), there, thread);
    float sums[warp::DOWN][warp::ACROSS][MMA_D] = {};
    int now = 0;
    copies.set_taps(taps[0], t, piece, piece.first);
    copies.set_taps(taps[1], t, piece, piece.first + TENSOR_TERMS);
    __syncthreads(); /* both tables are complete */
    copies.fetch(pairs[0], taps[0], t, weights, piece, first_filter, piece.first);
    for (INT q0 = piece.first; q0 < piece.end; q0 += TENSOR_TERMS) {
        copy_wait();
        __syncthreads(); /* this pair is complete, and no thread reads the other one */
        if (q0 + TENSOR_TERMS < piece.end)
            copies.fetch(pairs[1 - now], taps[1 - now], t, weights, piece, first_filter,
                         q0 + TENSOR_TERMS);
        copies.set_taps(taps[now], t, piece, q0 + 2 * TENSOR_TERMS);
        tensor_multiply<typename KIND::MATH>(sums, pairs[now], w);
        now = 1 - now;
    }
    set_sums<KIND, INT>(t, piece, first_filter, first_pixel, sums, w);
}

/* Tasks that need positions of 64 bits are rare, so those kernels are not compiled for single
 * sizes. */
template <class MATH, int BLOCK, int SIZE, enum filter_memory MEMORY>
static struct conv_pair pair_of()
{
    return {conv_tensor<tensor_conv<MATH, BLOCK, SIZE, MEMORY, int32_t>>,
            conv_tensor<tensor_conv<MATH, BLOCK, ANY_SIZE, MEMORY, int64_t>>};
}

/* Only the usual case is compiled for a single size: blocks of 16, weights in global memory. */
template <class MATH, int BLOCK> static struct conv_pair of_any_size(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? pair_of<MATH, BLOCK, ANY_SIZE, FILTER_CONSTANT>()
                                     : pair_of<MATH, BLOCK, ANY_SIZE, FILTER_TRANSFERRED>();
}

template <class MATH>
static struct conv_pair kernel(int64_t block, enum filter_memory memory, const struct conv_task *t,
                               struct elements_per_thread each)
{
    (void)each;
    if (block == 16 && memory == FILTER_TRANSFERRED && t->kernel == 3)
        return pair_of<MATH, 16, 3, FILTER_TRANSFERRED>();
    return block == 32 ? of_any_size<MATH, 32>(memory) : of_any_size<MATH, 16>(memory);
}

static const struct tile_size *tile_sizes(int64_t block, enum filter_memory memory, int64_t pieces)
{
    (void)memory;
    (void)pieces;
    return tensor_tile_sizes(block);
}

static int64_t pieces(const struct conv_task *t)
{
    return conv_pieces(t, TENSOR_TILE);
}

HOST_TABLE(conv_kernels, conv_tensor_tf32_kernels, {"tensor", false, constant_filter_address},
           kernel<math_tf32>, tile_sizes, pieces, NULL, true, false);
HOST_TABLE(conv_kernels, conv_tensor_bf16_kernels, {"tensor", false, constant_filter_address},
           kernel<math_bf16>, tile_sizes, pieces, NULL, true, false);
