/* Max pooling at the rate of the memory. For windows of 2 to 4 elements that do not overlap (stride
 * = kernel size) no pixel is read twice, so only the number of bytes in flight matters. A thread
 * takes one or two strips of an output row. It loads the rows of each strip in pieces of 16 bytes,
 * all of them before it uses any, and then multiplies from registers. The strips of a warp are
 * adjacent. If the length of the rows is a multiple of 8 bytes only, pieces have 8 bytes. Strips at
 * an edge, and those of other rows, are loaded pixel by pixel. */
#include "cuda/kernels/skeleton.cuh"

/* Pieces of 16 bytes in a strip's row of pixels, and windows in a strip: as many as the pieces
 * hold. */
__host__ __device__ constexpr int pieces(int size)
{
    return size == 3 ? 3 : 1;
}

__host__ __device__ constexpr int windows(int size)
{
    return 4 * pieces(size) / size;
}

/* Strips per thread, so that at least four pieces are in flight. */
__host__ __device__ constexpr int strips(int size)
{
    return size == 2 ? 2 : 1;
}

template <int SIZE> struct strip {
    float pixels[SIZE][4 * pieces(SIZE)];
};

/* Where the strip of output (row, col) begins, and the pixels that one load of it can take: 4, 2 or
 * 1; 0 if the strip is outside the map. */
struct corner {
    int64_t top, left;
    int together;
};

/* Pixels that one load can take, wherever a strip begins: its column is a multiple of 4 from the
 * first one. */
static __device__ __forceinline__ int aligned_pixels(const struct pool_task &t)
{
    const int64_t columns = t.in_cols | t.left;
    return columns % 4 == 0 ? 4 : columns % 2 == 0 ? 2 : 1;
}

template <int SIZE>
static __device__ __forceinline__ struct corner corner_of(const struct pool_task &t, int64_t row,
                                                          int64_t col)
{
    struct corner c;
    c.top = row * SIZE + t.top;
    c.left = col * SIZE + t.left;
    const bool inside = c.top >= 0 && c.top + SIZE <= t.in_rows && c.left >= 0 &&
                        c.left + 4 * pieces(SIZE) <= t.in_cols;
    c.together = col >= t.out_cols ? 0 : inside ? aligned_pixels(t) : 1;
    return c;
}

template <int SIZE>
static __device__ __forceinline__ void fetch_pieces(struct strip<SIZE> &s,
                                                    const struct pool_task &t, const float *plane,
                                                    const struct corner &c)
{
    for (int i = 0; i < SIZE; i++)
        for (int p = 0; p < pieces(SIZE); p++) {
            const float4 four =
                reinterpret_cast<const float4 *>(plane + (c.top + i) * t.in_cols + c.left)[p];
            s.pixels[i][4 * p] = four.x;
            s.pixels[i][4 * p + 1] = four.y;
            s.pixels[i][4 * p + 2] = four.z;
            s.pixels[i][4 * p + 3] = four.w;
        }
}

template <int SIZE>
static __device__ __forceinline__ void fetch_pairs(struct strip<SIZE> &s, const struct pool_task &t,
                                                   const float *plane, const struct corner &c)
{
    for (int i = 0; i < SIZE; i++)
        for (int p = 0; p < 2 * pieces(SIZE); p++) {
            const float2 two =
                reinterpret_cast<const float2 *>(plane + (c.top + i) * t.in_cols + c.left)[p];
            s.pixels[i][2 * p] = two.x;
            s.pixels[i][2 * p + 1] = two.y;
        }
}

template <int SIZE>
static __device__ __forceinline__ void fetch_pixels(struct strip<SIZE> &s,
                                                    const struct pool_task &t, const float *plane,
                                                    const struct corner &c)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < 4 * pieces(SIZE); j++)
            s.pixels[i][j] = pixel_at<false>(t, plane, c.top + i, c.left + j);
}

/* Returns the maximum of W B for a window W of the strip. */
template <int SIZE, enum filter_memory MEMORY>
static __device__ __forceinline__ float window_maximum(const struct strip<SIZE> &s, int window,
                                                       const float *filter)
{
    float best = -INFINITY;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            float sum = 0.0f;
            for (int q = 0; q < SIZE; q++)
                sum += s.pixels[i][window * SIZE + q] * filter_at<MEMORY>(filter, q * SIZE + j);
            best = sum > best ? sum : best;
        }
    return best;
}

/* Stores the strip's outputs; in one store if they are two that are aligned to 8 bytes. */
template <int SIZE, enum filter_memory MEMORY>
static __device__ __forceinline__ void set_strip(const struct pool_task &t,
                                                 const struct strip<SIZE> &s, int64_t plane,
                                                 int64_t row, int64_t col)
{
    const float *__restrict__ filter = t.filter;
    float best[windows(SIZE)];
    for (int w = 0; w < windows(SIZE); w++)
        best[w] = window_maximum<SIZE, MEMORY>(s, w, filter);
    if (SIZE == 2 && !t.places && t.out_cols % 2 == 0 && t.map_plane % 2 == 0) {
        float2 *two = reinterpret_cast<float2 *>(t.map + plane * t.map_plane + row * t.out_cols);
        two[col / 2] = make_float2(best[0], best[windows(SIZE) - 1]);
        return;
    }
    for (int w = 0; w < windows(SIZE); w++)
        if (col + w < t.out_cols)
            set_output(t, plane, row, col + w, best[w]);
}

template <int BLOCK, int SIZE, enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK *BLOCK) pool_roof(struct pool_task t)
{
    constexpr int STRIPS = strips(SIZE);
    const int64_t plane = blockIdx.z, row = row_of_thread();
    const float *__restrict__ image = t.image;
    const float *pixels = image + plane * t.in_rows * t.in_cols;
    struct strip<SIZE> s[STRIPS];
    struct corner corners[STRIPS];
    int64_t cols[STRIPS];
    if (row >= t.out_rows)
        return;
    for (int u = 0; u < STRIPS; u++) {
        cols[u] = (((int64_t)blockIdx.x * STRIPS + u) * BLOCK + threadIdx.x) * windows(SIZE);
        corners[u] = corner_of<SIZE>(t, row, cols[u]);
    }
    for (int u = 0; u < STRIPS; u++)
        if (corners[u].together == 4)
            fetch_pieces<SIZE>(s[u], t, pixels, corners[u]);
        else if (corners[u].together == 2)
            fetch_pairs<SIZE>(s[u], t, pixels, corners[u]);
        else if (corners[u].together == 1)
            fetch_pixels<SIZE>(s[u], t, pixels, corners[u]);
    for (int u = 0; u < STRIPS; u++)
        if (corners[u].together > 0)
            set_strip<SIZE, MEMORY>(t, s[u], plane, row, cols[u]);
}

template <int BLOCK, int SIZE> static pool_kernel *of_size(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? pool_roof<BLOCK, SIZE, FILTER_CONSTANT>
                                     : pool_roof<BLOCK, SIZE, FILTER_TRANSFERRED>;
}

template <int BLOCK> static pool_kernel *pool_of_block(enum filter_memory memory, int64_t kernel)
{
    return kernel == 2   ? of_size<BLOCK, 2>(memory)
           : kernel == 3 ? of_size<BLOCK, 3>(memory)
                         : of_size<BLOCK, 4>(memory);
}

static pool_kernel *pool(int64_t block, enum filter_memory memory, int64_t kernel, int64_t stride)
{
    (void)stride;
    return block == 32 ? pool_of_block<32>(memory, kernel) : pool_of_block<16>(memory, kernel);
}

static bool serves(int64_t kernel, int64_t stride)
{
    return kernel >= 2 && kernel <= 4 && stride == kernel;
}

static struct elements_per_thread share(int64_t block, int64_t kernel)
{
    (void)block;
    return {1, strips((int)kernel) * windows((int)kernel)};
}

HOST_TABLE(cuda_kernels, roof_kernels, {"roof", false, constant_filter_address}, NULL, pool, NULL,
           share, serves, NULL, NULL);
