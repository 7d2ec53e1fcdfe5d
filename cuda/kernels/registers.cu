/* The matrix product with sums in registers. `tiled` is limited by shared memory: it reads two
 * elements for every multiplication. Here each thread has 8 x 8 sums in registers, in a block of 16
 * x 16 threads: 16 elements read serve 64 multiplications. A block computes 128 x 128 elements in
 * steps of 16 terms. While it multiplies one pair of tiles, the next pair is copied into a second
 * pair of buffers.
 *
 * Where that would leave multiprocessors without a block, there are tiles of 64 x 128 and 64 x 64,
 * with 4 x 8 and 4 x 4 sums per thread. The bits are the same in tiles of any size, because a
 * thread adds the terms of its sums one by one in their order. If tiles are few and terms many, the
 * terms are cut into pieces, each with its own blocks (split-K), and another kernel adds their sums
 * in the order of the pieces: the bits depend on the number of pieces.
 *
 * One barrier per step is enough: after it, the copies of all threads have arrived, and no thread
 * still reads the other pair of buffers, into which the next copies go. */
#include "cuda/kernels/product_fetch.cuh"
#include "cuda/kernels/register_tiles.cuh"

/* Stores four adjacent elements of a row, in one store if rows are aligned to 16 bytes. */
static __device__ __forceinline__ void set_four(const struct product_task &t, int64_t row,
                                                int64_t col, const float *sum)
{
    if (row < t.rows && col < t.cols && t.cols % 4 == 0 && !t.places) {
        *reinterpret_cast<float4 *>(&t.c[row * t.cols + col]) =
            make_float4(sum[0], sum[1], sum[2], sum[3]);
        return;
    }
    for (int p = 0; p < 4; p++)
        if (row < t.rows && col + p < t.cols)
            set_element(t, row, col + p, sum[p]);
}

template <class TILING>
static __device__ __forceinline__ void
set_elements(const struct product_task &t, const float (&sum)[TILING::DOWN][TILING::ACROSS])
{
    constexpr int BLOCK = TILING::BLOCK;
#pragma unroll
    for (int i = 0; i < TILING::DOWN; i++)
#pragma unroll
        for (int j = 0; j < TILING::ACROSS; j += 4)
            set_four(t, (int64_t)blockIdx.y * tiles<TILING>::ROWS + own_row<BLOCK>(i),
                     (int64_t)blockIdx.x * tiles<TILING>::COLS + own_column<BLOCK>(j), &sum[i][j]);
}

template <class TILING, enum filter_memory MEMORY, bool IN_PIECES>
static __global__ void __launch_bounds__(TILING::THREADS, TILING::BLOCK == 16 ? 2 : 1)
    product_registers(struct product_task all)
{
    alignas(16) static __shared__ tiles<TILING> pairs[2];
    tile_copies<TILING::THREADS, MEMORY, IN_PIECES, tiles<TILING>> copies(all);
    float sum[TILING::DOWN][TILING::ACROSS] = {};
    int now = 0;
    copies.fetch(pairs[0], all, 0);
    for (int step = 0; step < copies.steps; step++) {
        copy_wait();
        __syncthreads(); /* this pair is complete, and no thread reads the other one */
        copies.fetch(pairs[1 - now], all, step + 1);
        multiply<TILING>(sum, pairs[now]);
        now = 1 - now;
    }
    set_elements<TILING>(product_of_block<IN_PIECES>(all), sum);
}

template <class TILING> static product_kernel *product_in(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? product_registers<TILING, FILTER_CONSTANT, false>
                                     : product_registers<TILING, FILTER_TRANSFERRED, false>;
}

static product_kernel *product(int64_t block, enum filter_memory memory,
                               struct elements_per_thread each)
{
    return block == 32      ? product_in<tiling_of<32, 4, 4>>(memory)
           : each.rows == 8 ? product_in<tiling_of<16, 8, 8>>(memory)
           : each.cols == 8 ? product_in<tiling_of<16, 4, 8>>(memory)
                            : product_in<tiling_of<16, 4, 4>>(memory);
}

static product_kernel *product_in_pieces(struct elements_per_thread each)
{
    return each.rows == 8   ? product_registers<tiling_of<16, 8, 8>, FILTER_TRANSFERRED, true>
           : each.cols == 8 ? product_registers<tiling_of<16, 4, 8>, FILTER_TRANSFERRED, true>
                            : product_registers<tiling_of<16, 4, 4>, FILTER_TRANSFERRED, true>;
}

static const struct tile_size *tile_sizes(int64_t block)
{
    static const struct tile_size of_16[] = {
        {{8, 8}, 1134}, {{4, 8}, 604}, {{4, 4}, 326}, {{0, 0}, 0}};
    static const struct tile_size of_32[] = {{{4, 4}, 0}, {{0, 0}, 0}};
    return block == 32 ? of_32 : of_16;
}

HOST_TABLE(cuda_kernels, registers_kernels, {"registers", false, constant_filter_address}, product,
           NULL, NULL, NULL, NULL, tile_sizes, product_in_pieces);
