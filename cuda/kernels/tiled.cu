/* Tiles in shared memory: the threads of a block fetch together what all of them read, tile by
 * tile. The tesina's third kernel.
 *
 * Two barriers keep the tiles whole. The first stands between fetching and multiplying: no thread
 * multiplies before every cell of the tile is there. The second stands at the end of a step: no
 * thread fetches the next tile over one that another still reads. Every thread of a block reaches
 * both, also one that has no element to make: it helps to fetch. */
#include "cuda/kernels/skeleton.cuh"

/* A product tile is BLOCK x BLOCK cells of A and as many of B. Cells outside the matrices are 0 and
 * add nothing. */
template <int BLOCK, enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK *BLOCK) product_tiled(struct product_task t)
{
    static __shared__ float a_tile[BLOCK][BLOCK], b_tile[BLOCK][BLOCK];
    const int64_t row = row_of_thread(), col = col_of_thread(), n = t.order;
    const int y = threadIdx.y, x = threadIdx.x;
    float sum = 0.0f;
    for (int64_t q0 = 0; q0 < n; q0 += BLOCK) {
        const bool in_a = row < t.rows && q0 + x < n;
        const bool in_b = q0 + y < n && col < n;
        a_tile[y][x] = in_a ? t.a[row * n + q0 + x] : 0.0f;
        b_tile[y][x] = in_b ? filter_at<MEMORY>(t.b, (q0 + y) * n + col) : 0.0f;
        __syncthreads(); /* the tiles are complete */
        for (int q = 0; q < BLOCK; q++)
            sum += a_tile[y][q] * b_tile[q][x];
        __syncthreads(); /* nobody reads them any more */
    }
    if (row < t.rows && col < n)
        set_element(t, row, col, sum);
}

/* A pool tile holds, for every output of the block, TILE_ROWS x TILE_TERMS cells of its window; of
 * the filter, TILE_TERMS x TILE_TERMS. Windows that overlap share their cells, and what the last
 * ones of the block reach beyond it is the halo. Sizes known to the compiler are one tile; any
 * other window is walked in tiles this large, which keeps shared memory below 48 KiB for any window
 * and stride (96 x 96 cells for size 3 and blocks of 32). */
__host__ __device__ constexpr int tile_rows(int size)
{
    return size == ANY_SIZE ? 2 : size;
}

__host__ __device__ constexpr int tile_terms(int size)
{
    return size == ANY_SIZE ? 4 : size;
}

/* Cells along one axis of the tile from one output's to the next's: the stride, but where windows
 * leave gaps between the tile's parts of them, the gaps are not fetched. */
__host__ __device__ inline int tile_step(int64_t stride, int tile)
{
    return stride < tile ? (int)stride : tile;
}

extern __shared__ float pool_tile[];

/* Fetches the tile of the block's windows from window row i0 and column q0 on. (row, col) is the
 * block's first output. */
template <int BLOCK, int SIZE>
static __device__ __forceinline__ void fetch_cells(const struct pool_task &t, const float *plane,
                                                   int64_t row, int64_t col, int64_t i0, int64_t q0)
{
    const int step_y = tile_step(t.stride, tile_rows(SIZE));
    const int step_x = tile_step(t.stride, tile_terms(SIZE));
    const int height = (BLOCK - 1) * step_y + tile_rows(SIZE);
    const int width = (BLOCK - 1) * step_x + tile_terms(SIZE);
    const int64_t top = row * t.stride + t.top + i0, left = col * t.stride + t.left + q0;
    for (int y = threadIdx.y; y < height; y += BLOCK)
        for (int x = threadIdx.x; x < width; x += BLOCK) {
            const int64_t gaps_above = y / step_y * (t.stride - step_y);
            const int64_t gaps_before = x / step_x * (t.stride - step_x);
            pool_tile[y * width + x] =
                cell<false>(t, plane, top + y + gaps_above, left + x + gaps_before);
        }
}

/* Fetches the filter's rows q0 .. and columns j0 ..; outside the filter is 0. */
template <int TERMS, enum filter_memory MEMORY>
static __device__ __forceinline__ void
fetch_filter(float (&tile)[TERMS][TERMS], const float *filter, int64_t k, int64_t q0, int64_t j0)
{
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int q = thread / TERMS, j = thread % TERMS;
    if (q < TERMS)
        tile[q][j] =
            q0 + q < k && j0 + j < k ? filter_at<MEMORY>(filter, (q0 + q) * k + j0 + j) : 0.0f;
}

template <int BLOCK, int SIZE, enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK *BLOCK) pool_tiled(struct pool_task t)
{
    constexpr int ROWS = tile_rows(SIZE), TERMS = tile_terms(SIZE);
    static __shared__ float filter_tile[TERMS][TERMS];
    const int64_t k = SIZE == ANY_SIZE ? t.kernel : SIZE;
    const int64_t row = row_of_thread(), col = col_of_thread();
    const int64_t block_row = row - threadIdx.y, block_col = col - threadIdx.x;
    const int step_x = tile_step(t.stride, TERMS), step_y = tile_step(t.stride, ROWS);
    const int width = (BLOCK - 1) * step_x + TERMS;
    const float *plane = t.image + blockIdx.z * t.in_rows * t.in_cols;
    const float *mine = pool_tile + threadIdx.y * step_y * width + threadIdx.x * step_x;
    float best = -INFINITY;
    for (int64_t i0 = 0; i0 < k; i0 += ROWS)
        for (int64_t j0 = 0; j0 < k; j0 += TERMS) {
            float sum[ROWS][TERMS] = {};
            for (int64_t q0 = 0; q0 < k; q0 += TERMS) {
                fetch_cells<BLOCK, SIZE>(t, plane, block_row, block_col, i0, q0);
                fetch_filter<TERMS, MEMORY>(filter_tile, t.filter, k, q0, j0);
                __syncthreads(); /* the tiles are complete */
                for (int i = 0; i < ROWS; i++)
                    for (int q = 0; q < TERMS; q++)
                        for (int j = 0; j < TERMS; j++)
                            sum[i][j] += mine[i * width + q] * filter_tile[q][j];
                __syncthreads(); /* nobody reads them any more */
            }
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < TERMS; j++)
                    if (i0 + i < k && j0 + j < k)
                        best = sum[i][j] > best ? sum[i][j] : best;
        }
    if (row < t.out_rows && col < t.out_cols)
        set_output(t, blockIdx.z, row, col, best);
}

template <int BLOCK> static product_kernel *product_of_block(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? product_tiled<BLOCK, FILTER_CONSTANT>
                                     : product_tiled<BLOCK, FILTER_TRANSFERRED>;
}

static product_kernel *product(int64_t block, enum filter_memory memory)
{
    return block == 32 ? product_of_block<32>(memory) : product_of_block<16>(memory);
}

template <int BLOCK, int SIZE> static pool_kernel *of_size(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? pool_tiled<BLOCK, SIZE, FILTER_CONSTANT>
                                     : pool_tiled<BLOCK, SIZE, FILTER_TRANSFERRED>;
}

template <int BLOCK> static pool_kernel *pool_of_block(enum filter_memory memory, int64_t kernel)
{
    return kernel == 2   ? of_size<BLOCK, 2>(memory)
           : kernel == 3 ? of_size<BLOCK, 3>(memory)
                         : of_size<BLOCK, ANY_SIZE>(memory);
}

static pool_kernel *pool(int64_t block, enum filter_memory memory, int64_t kernel)
{
    return block == 32 ? pool_of_block<32>(memory, kernel) : pool_of_block<16>(memory, kernel);
}

static size_t pool_shared(int64_t block, int64_t kernel, int64_t stride)
{
    const int size = kernel == 2 || kernel == 3 ? (int)kernel : (int)ANY_SIZE;
    const int64_t height = (block - 1) * tile_step(stride, tile_rows(size)) + tile_rows(size);
    const int64_t width = (block - 1) * tile_step(stride, tile_terms(size)) + tile_terms(size);
    return (size_t)(height * width) * sizeof(float);
}

const struct cuda_kernels tiled_kernels = {"tiled", false,       product,
                                           pool,    pool_shared, constant_filter_address};
