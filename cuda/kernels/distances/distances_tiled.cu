/* Distances by tiles: a block loads some dimensions of its points of X and of Y into shared memory,
 * where every point of X is paired with every point of Y. A thread keeps EACH x EACH sums, so that
 * each value it reads from a tile serves several pairs. In a tile each row is one dimension and
 * neighbouring points are adjacent, so neighbouring threads read neighbouring points. Two barriers
 * protect the tiles, as in tiled.cu. */
#include "cuda/kernels/distances/distances.cuh"
#include "cuda/kernels/skeleton.cuh"
#include "cuda/kernels/tile_pairs.cuh"

enum {
    EACH = 4, /* points of a thread, each way */
    GAP = 4   /* floats between rows of a tile, so that fetching has few bank conflicts */
};

template <int BLOCK> struct tiles {
    float x[BLOCK][BLOCK * EACH + GAP], y[BLOCK][BLOCK * EACH + GAP];
};

/* Fetches the dimensions from k0 on of the points from `first` on; 0 outside, which adds
 * nothing. */
template <int BLOCK, enum filter_memory MEMORY>
static __device__ __forceinline__ void fetch(float (&to)[BLOCK][BLOCK * EACH + GAP],
                                             const struct distances_task &t, const float *points,
                                             int64_t count, int64_t first, int64_t k0)
{
    const int64_t k = k0 + threadIdx.x;
    for (int n = 0; n < EACH; n++) {
        const int point = threadIdx.y + n * BLOCK;
        const bool in_range = first + point < count && k < t.dimensions;
        to[threadIdx.x][point] =
            in_range ? filter_at<MEMORY>(points, (first + point) * t.dimensions + k) : 0.0f;
    }
}

template <int BLOCK, enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK *BLOCK) distances_tiled(struct distances_task t)
{
    alignas(16) static __shared__ struct tiles<BLOCK> tiles;
    const float *__restrict__ x = t.x, *__restrict__ y = t.y;
    const int64_t first_row = (int64_t)blockIdx.y * BLOCK * EACH;
    const int64_t first_col = (int64_t)blockIdx.x * BLOCK * EACH;
    float sum[EACH][EACH] = {};
    for (int64_t k0 = 0; k0 < t.dimensions; k0 += BLOCK) {
        fetch<BLOCK, FILTER_TRANSFERRED>(tiles.x, t, x, t.rows, first_row, k0);
        fetch<BLOCK, MEMORY>(tiles.y, t, y, t.cols, first_col, k0);
        __syncthreads(); /* the tiles are complete */
        add_pairs<add_square, BLOCK>(sum, tiles.x, tiles.y);
        __syncthreads(); /* no thread reads them any more */
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            const int64_t row = first_row + threadIdx.y * EACH + i;
            const int64_t col = first_col + threadIdx.x * EACH + j;
            if (row < t.rows && col < t.cols)
                set_distance(t, row, col, sum[i][j]);
        }
}

template <int BLOCK> static distances_kernel *of_block(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? distances_tiled<BLOCK, FILTER_CONSTANT>
                                     : distances_tiled<BLOCK, FILTER_TRANSFERRED>;
}

/* Returns the tiles with `side` points of X and `side` of Y; of points with themselves only those
 * that are not mirrored if `halves`. */
static int64_t tiles_of(const struct distances_task *t, int64_t side, bool halves)
{
    const int64_t down = (t->rows - 1) / side + 1, across = (t->cols - 1) / side + 1;
    return down * across - (halves && t->same ? down * (down - 1) / 2 : 0);
}

/* True if every multiprocessor has a tile of distances_registers.cu, and these have at most five
 * fourths of the places that those of 64 x 64 have. */
static bool registers_serve(int64_t block, enum filter_memory memory,
                            const struct distances_task *t, int64_t processors)
{
    enum { SIDE = DISTANCES_REGISTERS_BLOCK * DISTANCES_REGISTERS_EACH };
    const int64_t large = tiles_of(t, SIDE, true);
    return block == DISTANCES_REGISTERS_BLOCK && memory == FILTER_TRANSFERRED && t->rows > 0 &&
           t->cols > 0 && large >= processors && 4 * 4 * large <= 5 * tiles_of(t, SIDE / 2, false);
}

static int64_t each(int64_t block, enum filter_memory memory, const struct distances_task *t,
                    int64_t processors)
{
    if (registers_serve(block, memory, t, processors))
        return DISTANCES_REGISTERS_EACH;
    return EACH;
}

static distances_kernel *kernel(int64_t block, enum filter_memory memory, int64_t each)
{
    if (each == DISTANCES_REGISTERS_EACH)
        return distances_by_registers;
    return block == 32 ? of_block<32>(memory) : of_block<16>(memory);
}

HOST_TABLE(distances_kernels, distances_tiled_kernels, {"tiled", false, constant_filter_address},
           kernel, each);
