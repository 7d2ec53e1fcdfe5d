/* Tiles in shared memory: the threads of a block fetch together what all of them read, tile by
 * tile. The tesina's third kernel.
 *
 * Two barriers protect the tiles. The first is between fetching and multiplying: no thread
 * multiplies before the tile is complete. The second is at the end of a step: no thread overwrites
 * a tile that another thread still reads. Every thread of a block reaches both, even one that has
 * no element to compute, because it helps to fetch. */
#include "cuda/kernels/skeleton.cuh"

/* A product tile is BLOCK x BLOCK elements of A and as many of B. Elements outside the matrices are
 * 0 and add nothing. */
template <int BLOCK, enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK *BLOCK) product_tiled(struct product_task all)
{
    const struct product_task t = plane_of(all, blockIdx.z);
    static __shared__ float a_tile[BLOCK][BLOCK], b_tile[BLOCK][BLOCK];
    const float *__restrict__ a = t.a, *__restrict__ b = t.b;
    const int64_t row = row_of_thread(), col = col_of_thread(), n = t.inner;
    const int y = threadIdx.y, x = threadIdx.x;
    float sum = 0.0f;
    for (int64_t q0 = 0; q0 < n; q0 += BLOCK) {
        const bool in_a = row < t.rows && q0 + x < n;
        const bool in_b = q0 + y < n && col < t.cols;
        a_tile[y][x] = in_a ? a[row * n + q0 + x] : 0.0f;
        b_tile[y][x] = in_b ? filter_at<MEMORY>(b, t.b_first + (q0 + y) * t.cols + col) : 0.0f;
        __syncthreads(); /* the tiles are complete */
        for (int q = 0; q < BLOCK; q++)
            sum += a_tile[y][q] * b_tile[q][x];
        __syncthreads(); /* no thread reads them any more */
    }
    if (row < t.rows && col < t.cols)
        set_element(t, row, col, sum);
}

/* A pool tile holds tile_rows x tile_terms elements of the window of every output of the block; the
 * filter's tile holds tile_terms x tile_terms. Windows that overlap share their elements, and what
 * the last ones of the block read beyond it is the halo. Windows of a size known to the compiler
 * are one tile. Any other window is processed in tiles of this size, which keeps shared memory
 * below 48 KiB for any window and stride (96 x 96 elements for size 3 and blocks of 32). */
__host__ __device__ constexpr int tile_rows(int size)
{
    return size == ANY_SIZE ? 2 : size;
}

__host__ __device__ constexpr int tile_terms(int size)
{
    return size == ANY_SIZE ? 4 : size;
}

/* Returns the elements along one axis of the tile from one output's to the next output's: the
 * stride, but at most the size of the tile's part of a window, because gaps between these parts are
 * not fetched. So there are few steps and the compiler knows each: no thread divides by a number
 * that is known only at run time. */
__host__ __device__ constexpr int tile_step(int64_t stride, int tile)
{
    return stride < tile ? (int)stride : tile;
}

__host__ __device__ constexpr int tile_side(int block, int step, int tile)
{
    return (block - 1) * step + tile;
}

/* Returns the elements from one row of the tile to the next: rows are aligned to 16 bytes. */
__host__ __device__ constexpr int tile_pitch(int width)
{
    return (width + 3) / 4 * 4;
}

template <int BLOCK_, int SIZE_, int STEP_> struct shape {
    static constexpr int BLOCK = BLOCK_, SIZE = SIZE_;
    static constexpr int ROWS = tile_rows(SIZE), TERMS = tile_terms(SIZE);
    static constexpr int STEP_X = STEP_, STEP_Y = tile_step(STEP_, ROWS);
    static constexpr int HEIGHT = tile_side(BLOCK, STEP_Y, ROWS);
    static constexpr int WIDTH = tile_side(BLOCK, STEP_X, TERMS), PITCH = tile_pitch(WIDTH);
    static constexpr int DOWN = (HEIGHT + BLOCK - 1) / BLOCK; /* elements that a thread fetches */
    static constexpr int ACROSS = (WIDTH + BLOCK - 1) / BLOCK;
    /* Rows of these that are in flight at a time: all, or one if registers are scarce, as with
     * blocks of 1024 threads and with windows of any size. */
    static constexpr int AT_ONCE = BLOCK == 32 || SIZE == ANY_SIZE ? 1 : DOWN;

    static __device__ __forceinline__ bool holds(int y, int x)
    {
        return y < HEIGHT && x < WIDTH;
    }
};

/* Read 16 bytes at a time. It follows a static array, whose size may be no multiple of 16 bytes. */
alignas(16) extern __shared__ float pool_tile[];

/* Position of the tile in the plane: its first element, and the elements skipped after each
 * step. */
struct tile_place {
    int64_t top, left, gap_y, gap_x;
};

/* Reads a thread's elements of AT_ONCE rows, from row d0 on. */
template <class SHAPE, bool INSIDE>
static __device__ __forceinline__ void read_pixels(float (&pixels)[SHAPE::AT_ONCE][SHAPE::ACROSS],
                                                   const struct pool_task &t, const float *plane,
                                                   const struct tile_place &at, int d0)
{
    for (int d = 0; d < SHAPE::AT_ONCE; d++)
        for (int a = 0; a < SHAPE::ACROSS; a++) {
            const int y = threadIdx.y + (d0 + d) * SHAPE::BLOCK, x = threadIdx.x + a * SHAPE::BLOCK;
            const int64_t row = at.top + y + y / SHAPE::STEP_Y * at.gap_y;
            const int64_t col = at.left + x + x / SHAPE::STEP_X * at.gap_x;
            if (SHAPE::holds(y, x))
                pixels[d][a] = pixel_at<INSIDE>(t, plane, row, col);
        }
}

template <class SHAPE>
static __device__ __forceinline__ void
store_pixels(const float (&pixels)[SHAPE::AT_ONCE][SHAPE::ACROSS], int d0)
{
    for (int d = 0; d < SHAPE::AT_ONCE; d++)
        for (int a = 0; a < SHAPE::ACROSS; a++) {
            const int y = threadIdx.y + (d0 + d) * SHAPE::BLOCK, x = threadIdx.x + a * SHAPE::BLOCK;
            if (SHAPE::holds(y, x))
                pool_tile[y * SHAPE::PITCH + x] = pixels[d][a];
        }
}

/* Fetches the tile of the block's windows from window row i0 and column q0 on; (row, col) is the
 * block's first output. All elements of AT_ONCE rows are in flight before the first is stored. */
template <class SHAPE>
static __device__ __forceinline__ void fetch_pixels(const struct pool_task &t, const float *plane,
                                                    int64_t row, int64_t col, int64_t i0,
                                                    int64_t q0)
{
    /* A step below the tile's side is the stride itself, so that the compiler sees that there is no
     * gap. */
    const int64_t gap_y = SHAPE::STEP_Y < SHAPE::ROWS ? 0 : t.stride - SHAPE::STEP_Y;
    const int64_t gap_x = SHAPE::STEP_X < SHAPE::TERMS ? 0 : t.stride - SHAPE::STEP_X;
    const struct tile_place at = {row * t.stride + t.top + i0, col * t.stride + t.left + q0, gap_y,
                                  gap_x};
    constexpr int LAST_Y = SHAPE::HEIGHT - 1, LAST_X = SHAPE::WIDTH - 1;
    const int64_t bottom = at.top + LAST_Y + LAST_Y / SHAPE::STEP_Y * at.gap_y;
    const int64_t right = at.left + LAST_X + LAST_X / SHAPE::STEP_X * at.gap_x;
    const bool inside = at.top >= 0 && bottom < t.in_rows && at.left >= 0 && right < t.in_cols;
#pragma unroll 1
    for (int d0 = 0; d0 < SHAPE::DOWN; d0 += SHAPE::AT_ONCE) {
        float pixels[SHAPE::AT_ONCE][SHAPE::ACROSS];
        if (inside)
            read_pixels<SHAPE, true>(pixels, t, plane, at, d0);
        else
            read_pixels<SHAPE, false>(pixels, t, plane, at, d0);
        store_pixels<SHAPE>(pixels, d0);
    }
}

/* Fetches the filter's rows from q0 and columns from j0 on; 0 outside the filter. */
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

/* Reads a window's row from the tile. If outputs are 2 or 4 elements apart, single reads would use
 * only every second or fourth bank; reads as wide as that distance use all of them. */
template <class SHAPE>
static __device__ __forceinline__ void read_row(float (&pixels)[SHAPE::TERMS], const float *from)
{
    constexpr int TERMS = SHAPE::TERMS;
    if (SHAPE::STEP_X % 4 == 0) {
        const float4 four = *reinterpret_cast<const float4 *>(from);
        const float all[4] = {four.x, four.y, four.z, four.w};
        for (int q = 0; q < TERMS; q++)
            pixels[q] = all[q];
    } else if (SHAPE::STEP_X % 2 == 0) {
        for (int q = 0; q < TERMS; q += 2) {
            const float2 two = *reinterpret_cast<const float2 *>(from + q);
            pixels[q] = two.x;
            if (q + 1 < TERMS)
                pixels[q + 1] = two.y;
        }
    } else {
        for (int q = 0; q < TERMS; q++)
            pixels[q] = from[q];
    }
}

/* Adds the products of one row of the tile: a sum for each column of the filter's tile. */
template <class SHAPE>
static __device__ __forceinline__ void
add_products(float (&sum)[SHAPE::TERMS], const float *window_row,
             const float (&filter)[SHAPE::TERMS][SHAPE::TERMS])
{
    float pixels[SHAPE::TERMS];
    read_row<SHAPE>(pixels, window_row);
    for (int q = 0; q < SHAPE::TERMS; q++)
        for (int j = 0; j < SHAPE::TERMS; j++)
            sum[j] += pixels[q] * filter[q][j];
}

template <class SHAPE, enum filter_memory MEMORY>
static __global__ void __launch_bounds__(SHAPE::BLOCK *SHAPE::BLOCK) pool_tiled(struct pool_task t)
{
    constexpr int ROWS = SHAPE::ROWS, TERMS = SHAPE::TERMS;
    static __shared__ float filter_tile[TERMS][TERMS];
    const int64_t k = SHAPE::SIZE == ANY_SIZE ? t.kernel : SHAPE::SIZE;
    const int64_t row = row_of_thread(), col = col_of_thread();
    const int64_t block_row = row - threadIdx.y, block_col = col - threadIdx.x;
    const float *__restrict__ image = t.image, *__restrict__ filter = t.filter;
    const float *plane = image + blockIdx.z * t.in_rows * t.in_cols;
    const float *mine =
        pool_tile + threadIdx.y * SHAPE::STEP_Y * SHAPE::PITCH + threadIdx.x * SHAPE::STEP_X;
    float best = -INFINITY;
    for (int64_t i0 = 0; i0 < k; i0 += ROWS)
        for (int64_t j0 = 0; j0 < k; j0 += TERMS) {
            float sum[ROWS][TERMS] = {};
            for (int64_t q0 = 0; q0 < k; q0 += TERMS) {
                fetch_pixels<SHAPE>(t, plane, block_row, block_col, i0, q0);
                fetch_filter<TERMS, MEMORY>(filter_tile, filter, k, q0, j0);
                __syncthreads(); /* the tiles are complete */
                for (int i = 0; i < ROWS; i++)
                    add_products<SHAPE>(sum[i], mine + i * SHAPE::PITCH, filter_tile);
                __syncthreads(); /* no thread reads them any more */
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

static product_kernel *product(int64_t block, enum filter_memory memory,
                               struct elements_per_thread each)
{
    (void)each;
    return block == 32 ? product_of_block<32>(memory) : product_of_block<16>(memory);
}

template <int BLOCK, int SIZE, int STEP> static pool_kernel *of_shape(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? pool_tiled<shape<BLOCK, SIZE, STEP>, FILTER_CONSTANT>
                                     : pool_tiled<shape<BLOCK, SIZE, STEP>, FILTER_TRANSFERRED>;
}

template <int BLOCK, int SIZE>
static pool_kernel *of_size(enum filter_memory memory, int64_t stride)
{
    constexpr int TERMS = tile_terms(SIZE);
    const int step = tile_step(stride, TERMS);
    return step == 1   ? of_shape<BLOCK, SIZE, 1>(memory)
           : step == 2 ? of_shape<BLOCK, SIZE, 2>(memory)
           : step == 3 ? of_shape<BLOCK, SIZE, tile_step(3, TERMS)>(memory)
                       : of_shape<BLOCK, SIZE, tile_step(4, TERMS)>(memory);
}

template <int BLOCK>
static pool_kernel *pool_of_block(enum filter_memory memory, int64_t kernel, int64_t stride)
{
    return kernel == 2   ? of_size<BLOCK, 2>(memory, stride)
           : kernel == 3 ? of_size<BLOCK, 3>(memory, stride)
                         : of_size<BLOCK, ANY_SIZE>(memory, stride);
}

static pool_kernel *pool(int64_t block, enum filter_memory memory, int64_t kernel, int64_t stride)
{
    return block == 32 ? pool_of_block<32>(memory, kernel, stride)
                       : pool_of_block<16>(memory, kernel, stride);
}

static size_t pool_shared(int64_t block, int64_t kernel, int64_t stride)
{
    const int size = kernel == 2 || kernel == 3 ? (int)kernel : (int)ANY_SIZE;
    const int step = tile_step(stride, tile_terms(size));
    const int height = tile_side((int)block, tile_step(step, tile_rows(size)), tile_rows(size));
    const int width = tile_side((int)block, step, tile_terms(size));
    return (size_t)(height * tile_pitch(width)) * sizeof(float);
}

HOST_TABLE(cuda_kernels, tiled_kernels, {"tiled", false, constant_filter_address}, product, pool,
           pool_shared, NULL, NULL, NULL, NULL);
