/* What kernels by tiles have in common, whatever their tiles hold: of two tiles in shared memory,
 * every column of one meets every column of the other, row after row. */
#ifndef MAXPOOL_CUDA_TILE_PAIRS_CUH
#define MAXPOOL_CUDA_TILE_PAIRS_CUH

#include <cuda_runtime.h>

/* add() of a product. */
struct add_product {
    static __device__ __forceinline__ float add(float sum, float a, float b)
    {
        return sum + a * b;
    }
};

/* Returns column i of the EACH columns of a thread, BLOCK threads sharing the tile's. Four at a
 * time are adjacent, so that they are read in one piece, and so are those of neighbouring
 * threads. */
template <int BLOCK, int EACH> static __device__ __forceinline__ int pair_column(int thread, int i)
{
    constexpr int ADJACENT = EACH < 4 ? EACH : 4;
    return i / ADJACENT * (ADJACENT * BLOCK) + thread * ADJACENT + i % ADJACENT;
}

/* sum(i, j) = ADD::add(sum(i, j), a(i), b(j)), where a thread has DOWN columns of `a`, by its y,
 * and ACROSS of `b`, by its x. */
template <class ADD, int BLOCK, int DOWN, int ACROSS, int A_COLS, int B_COLS>
static __device__ __forceinline__ void add_row(float (&sum)[DOWN][ACROSS], const float (&a)[A_COLS],
                                               const float (&b)[B_COLS])
{
    float down[DOWN], across[ACROSS];
    for (int i = 0; i < DOWN; i++)
        down[i] = a[pair_column<BLOCK, DOWN>(threadIdx.y, i)];
    for (int j = 0; j < ACROSS; j++)
        across[j] = b[pair_column<BLOCK, ACROSS>(threadIdx.x, j)];
    for (int i = 0; i < DOWN; i++)
        for (int j = 0; j < ACROSS; j++)
            sum[i][j] = ADD::add(sum[i][j], down[i], across[j]);
}

/* The same for every row of two tiles in order. */
template <class ADD, int BLOCK, int DOWN, int ACROSS, int ROWS, int A_COLS, int B_COLS>
static __device__ __forceinline__ void add_pairs(float (&sum)[DOWN][ACROSS],
                                                 const float (&a)[ROWS][A_COLS],
                                                 const float (&b)[ROWS][B_COLS])
{
    for (int q = 0; q < ROWS; q++)
        add_row<ADD, BLOCK>(sum, a[q], b[q]);
}

#endif
