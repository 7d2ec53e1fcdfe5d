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

/* What a block of BLOCK x BLOCK threads computes, with DOWN x ACROSS sums per thread. */
template <int BLOCK_, int DOWN_, int ACROSS_> struct tiling_of {
    static constexpr int BLOCK = BLOCK_, DOWN = DOWN_, ACROSS = ACROSS_, THREADS = BLOCK * BLOCK;
};

template <class TILING> struct tiles {
    static constexpr int ROWS = TILING::BLOCK * TILING::DOWN, COLS = TILING::BLOCK * TILING::ACROSS;
    static constexpr int TERMS = STEP_TERMS;
    /* Elements from one row of the tile of A to the next: two rows that a warp reads at a time are
     * 20 elements apart, in different banks. */
    static constexpr int A_ROW = TERMS + 4;
    float a[ROWS][A_ROW], b[TERMS][COLS];
};

static __device__ __forceinline__ void read_four(float *to, const float *from)
{
    const float4 four = *reinterpret_cast<const float4 *>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}

/* Row i of a thread is BLOCK rows after row i - 1. Its columns are groups of four, BLOCK groups
 * apart. So a warp reads B contiguously, and one piece of A for all threads of a row. Two terms at
 * a time: the registers have no space for more besides the sums. */
template <class TILING>
static __device__ __forceinline__ void multiply(float (&sum)[TILING::DOWN][TILING::ACROSS],
                                                const tiles<TILING> &from)
{
    constexpr int BLOCK = TILING::BLOCK, DOWN = TILING::DOWN, ACROSS = TILING::ACROSS;
#pragma unroll 2
    for (int q = 0; q < tiles<TILING>::TERMS; q += 2) {
        float2 a[DOWN];
        for (int i = 0; i < DOWN; i++)
            a[i] = *reinterpret_cast<const float2 *>(&from.a[i * BLOCK + threadIdx.y][q]);
#pragma unroll
        for (int p = 0; p < 2; p++) {
            float b[ACROSS];
            for (int j = 0; j < ACROSS; j += 4)
                read_four(&b[j], &from.b[q + p][j * BLOCK + 4 * threadIdx.x]);
#pragma unroll
            for (int i = 0; i < DOWN; i++)
                for (int j = 0; j < ACROSS; j++)
                    sum[i][j] += (p == 0 ? a[i].x : a[i].y) * b[j];
        }
    }
}

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
            set_four(t, (int64_t)blockIdx.y * tiles<TILING>::ROWS + i * BLOCK + threadIdx.y,
                     (int64_t)blockIdx.x * tiles<TILING>::COLS + j * BLOCK + 4 * threadIdx.x,
                     &sum[i][j]);
}

template <class TILING, enum filter_memory MEMORY, bool IN_PIECES>
static __global__ void __launch_bounds__(TILING::THREADS, TILING::BLOCK == 16 ? 2 : 1)
    product_registers(struct product_task all)
{
    constexpr int THREADS = TILING::THREADS, TERMS = tiles<TILING>::TERMS;
    const struct product_task t = product_of_block<IN_PIECES>(all);
    typedef typename term_count<IN_PIECES>::type count;
    const count terms = terms_of_block<IN_PIECES>(all);
    alignas(16) static __shared__ tiles<TILING> pairs[2];
    const int thread = threadIdx.y * TILING::BLOCK + threadIdx.x;
    float sum[TILING::DOWN][TILING::ACROSS] = {};
    int now = 0;
    fetch<THREADS, MEMORY>(pairs[0], t, terms, 0, thread);
    for (count q0 = 0; q0 < terms; q0 += TERMS) {
        copy_wait();
        __syncthreads(); /* this pair is complete, and no thread reads the other one */
        if (q0 + TERMS < terms)
            fetch<THREADS, MEMORY>(pairs[1 - now], t, terms, q0 + TERMS, thread);
        multiply<TILING>(sum, pairs[now]);
        now = 1 - now;
    }
    set_elements<TILING>(t, sum);
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
        {{8, 8}, 1290}, {{4, 8}, 745}, {{4, 4}, 409}, {{0, 0}, 0}};
    static const struct tile_size of_32[] = {{{4, 4}, 0}, {{0, 0}, 0}};
    return block == 32 ? of_32 : of_16;
}

HOST_TABLE(cuda_kernels, registers_kernels, {"registers", false, constant_filter_address}, product,
           NULL, NULL, NULL, NULL, tile_sizes, product_in_pieces);
