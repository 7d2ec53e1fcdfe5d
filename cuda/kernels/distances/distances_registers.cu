/* Distances with 8 x 8 pairs per thread: 16 values read from the tiles serve 64 pairs. A block of
 * 16 x 16 threads computes 128 x 128 pairs in steps of 16 dimensions. While it computes with one
 * pair of tiles, the next pair is copied into a second pair of buffers, as in registers.cu.
 *
 * Of points with themselves a pair of different tiles is computed once and stored twice. Rows of
 * the task are the points from column `own_col` on, so the tiles of columns are cut where those of
 * rows are: the tile below the diagonal that mirrors a tile above it has nothing to do.
 *
 * Dimensions are added in their order, and a difference has the same square as its negative, so the
 * bits are those of distances_tiled.cu. */
#include "cuda/kernels/copy_async.cuh"
#include "cuda/kernels/distances/distances.cuh"
#include "cuda/kernels/tile_pairs.cuh"

enum {
    BLOCK = DISTANCES_REGISTERS_BLOCK,
    EACH = DISTANCES_REGISTERS_EACH,
    SIDE = BLOCK * EACH, /* points of a tile */
    DIMENSIONS = BLOCK,  /* per step */
    GAP = 4
};

struct tiles {
    float x[DIMENSIONS][SIDE + GAP], y[DIMENSIONS][SIDE + GAP];
};

/* The first row and column of a block's pairs; the column may be below 0. Among the rows and the
 * columns that are the same points, tiles have numbers: above, on or below the diagonal. */
struct pair_tile {
    int64_t row, col;
    bool mirrored, skipped;
};

static __device__ __forceinline__ struct pair_tile tile_of(const struct distances_task &t)
{
    struct pair_tile tile;
    const int64_t shift = t.same ? (SIDE - t.own_col % SIDE) % SIDE : 0;
    tile.row = (int64_t)blockIdx.y * SIDE;
    tile.col = (int64_t)blockIdx.x * SIDE - shift;
    const int64_t own = tile.col - t.own_col; /* of the tile's columns, as rows of the task */
    tile.mirrored = t.same && own > tile.row && own < t.rows;
    tile.skipped = t.same && own >= 0 && own < tile.row;
    return tile;
}

/* Starts to copy the dimensions from k0 on of the points from `first` on; 0 outside, which adds
 * nothing. */
static __device__ __forceinline__ void fetch(float (&to)[DIMENSIONS][SIDE + GAP],
                                             const float *points, int64_t dimensions, int64_t count,
                                             int64_t first, int64_t k0)
{
    const int64_t k = k0 + threadIdx.x;
    int64_t place = (first + threadIdx.y) * dimensions + k;
#pragma unroll
    for (int n = 0; n < EACH; n++) {
        const int column = threadIdx.y + n * BLOCK;
        const int64_t point = first + column;
        const bool in_range = point >= 0 && point < count && k < dimensions;
        copy_begin<1>(&to[threadIdx.x][column], &points[in_range ? place : 0], in_range);
        place += BLOCK * dimensions;
    }
}

static __device__ __forceinline__ void fetch_pair(struct tiles &to, const struct distances_task &t,
                                                  const struct pair_tile &tile, int64_t k0)
{
    fetch(to.x, t.x, t.dimensions, t.rows, tile.row, k0);
    fetch(to.y, t.y, t.dimensions, t.cols, tile.col, k0);
}

/* Stores the tile's distances and, if it is mirrored, those that mirror them. */
static __device__ __forceinline__ void set_distances(const struct distances_task &t,
                                                     const struct pair_tile &tile,
                                                     const float (&sum)[EACH][EACH])
{
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            const int64_t row = tile.row + pair_column<BLOCK, EACH>(threadIdx.y, i);
            const int64_t col = tile.col + pair_column<BLOCK, EACH>(threadIdx.x, j);
            if (row >= t.rows || col < 0 || col >= t.cols)
                continue;
            set_distance(t, row, col, sum[i][j]);
            if (tile.mirrored && col - t.own_col < t.rows)
                set_distance(t, col - t.own_col, row + t.own_col, sum[i][j]);
        }
}

static __global__ void __launch_bounds__(BLOCK *BLOCK, 2)
    distances_registers(struct distances_task t)
{
    alignas(16) static __shared__ struct tiles pairs[2];
    const struct pair_tile tile = tile_of(t);
    float sum[EACH][EACH] = {};
    int now = 0;
    if (tile.skipped) /* the whole block returns */
        return;
    fetch_pair(pairs[0], t, tile, 0);
    for (int64_t k0 = 0; k0 < t.dimensions; k0 += DIMENSIONS) {
        copy_wait();
        __syncthreads(); /* this pair is complete, and no thread reads the other one */
        if (k0 + DIMENSIONS < t.dimensions)
            fetch_pair(pairs[1 - now], t, tile, k0 + DIMENSIONS);
#pragma unroll
        for (int k = 0; k < DIMENSIONS; k++)
            add_row<add_square, BLOCK>(sum, pairs[now].x[k], pairs[now].y[k]);
        now = 1 - now;
    }
    set_distances(t, tile, sum);
}

distances_kernel *const distances_by_registers = distances_registers;
