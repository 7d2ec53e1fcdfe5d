/* The matrix product by tensor cores, for --math tf32 and bf16. As in `registers`, a block computes
 * 128 x 128 elements in steps of 16 terms, and while it multiplies one pair of tiles the next pair
 * is copied into a second pair of buffers: one barrier per step. But a warp multiplies matrices of
 * 16 x 8 terms by one instruction (mma.cuh), so that arithmetic is no longer the limit: what
 * remains is to feed it. Its terms are cut into pieces where those of `registers` would be. */
#include "cuda/kernels/product_fetch.cuh"
#include "cuda/kernels/tensor/tensor_tiles.cuh"

/* Stores two adjacent elements of a row, in one store if rows are aligned to 8 bytes. */
static __device__ __forceinline__ void set_two(const struct product_task &t, int64_t row,
                                               int64_t col, float first, float second)
{
    if (row < t.rows && col < t.cols && t.cols % 2 == 0 && !t.places) {
        *reinterpret_cast<float2 *>(&t.c[row * t.cols + col]) = make_float2(first, second);
        return;
    }
    if (row < t.rows && col < t.cols)
        set_element(t, row, col, first);
    if (row < t.rows && col + 1 < t.cols)
        set_element(t, row, col + 1, second);
}

template <int BLOCK, int DOWN, int ACROSS>
static __device__ __forceinline__ void set_elements(const struct product_task &t,
                                                    const float (&sums)[DOWN][ACROSS][MMA_D],
                                                    const tensor_warp<BLOCK> &w)
{
#pragma unroll
    for (int i = 0; i < DOWN; i++)
#pragma unroll
        for (int j = 0; j < ACROSS; j++) {
            const int64_t row = (int64_t)blockIdx.y * TENSOR_TILE + w.row + i * MMA_ROWS + w.group;
            const int64_t col =
                (int64_t)blockIdx.x * TENSOR_TILE + w.col + j * MMA_COLS + 2 * w.member;
            set_two(t, row, col, sums[i][j][0], sums[i][j][1]);
            set_two(t, row + 8, col, sums[i][j][2], sums[i][j][3]);
        }
}

template <class MATH, int BLOCK, enum filter_memory MEMORY, bool IN_PIECES>
static __global__ void __launch_bounds__(BLOCK *BLOCK, BLOCK == 16 ? 2 : 1)
    product_tensor(struct product_task all)
{
    typedef tensor_warp<BLOCK> warp;
    alignas(16) static __shared__ tensor_tiles<MATH> pairs[2];
    const warp w(threadIdx.y * BLOCK + threadIdx.x);
    tile_copies<BLOCK * BLOCK, MEMORY, IN_PIECES, tensor_tiles<MATH>> copies(all);
    float sums[warp::DOWN][warp::ACROSS][MMA_D] = {};
    int now = 0;
    copies.fetch(pairs[0], all, 0);
    for (int step = 0; step < copies.steps; step++) {
        copy_wait();
        __syncthreads(); /* this pair is complete, and no thread reads the other one */
        copies.fetch(pairs[1 - now], all, step + 1);
        tensor_multiply<MATH>(sums, pairs[now], w);
        now = 1 - now;
    }
    set_elements(product_of_block<IN_PIECES>(all), sums, w);
}

template <class MATH>
static product_kernel *product(int64_t block, enum filter_memory memory,
                               struct elements_per_thread each)
{
    (void)each;
    if (memory == FILTER_CONSTANT)
        return block == 32 ? product_tensor<MATH, 32, FILTER_CONSTANT, false>
                           : product_tensor<MATH, 16, FILTER_CONSTANT, false>;
    return block == 32 ? product_tensor<MATH, 32, FILTER_TRANSFERRED, false>
                       : product_tensor<MATH, 16, FILTER_TRANSFERRED, false>;
}

template <class MATH> static product_kernel *product_in_pieces(struct elements_per_thread each)
{
    (void)each;
    return product_tensor<MATH, 16, FILTER_TRANSFERRED, true>;
}

HOST_TABLE(cuda_kernels, tensor_tf32_kernels, {"tensor", false, constant_filter_address},
           product<math_tf32>, NULL, NULL, NULL, NULL, tensor_tile_sizes,
           product_in_pieces<math_tf32>);
HOST_TABLE(cuda_kernels, tensor_bf16_kernels, {"tensor", false, constant_filter_address},
           product<math_bf16>, NULL, NULL, NULL, NULL, tensor_tile_sizes,
           product_in_pieces<math_bf16>);
