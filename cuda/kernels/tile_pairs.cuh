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

/* sum(i, j) = ADD::add(sum(i, j), a(q, i), b(q, j)) for every row q in order. A thread has EACH
 * columns of `a`, by its y, and EACH of `b`, by its x. They are adjacent, so that each EACH columns
 * are read in one piece. */
template <class ADD, int EACH, int ROWS, int COLS>
static __device__ __forceinline__ void
add_pairs(float (&sum)[EACH][EACH], const float (&a)[ROWS][COLS], const float (&b)[ROWS][COLS])
{
    for (int q = 0; q < ROWS; q++) {
        float down[EACH], across[EACH];
        for (int i = 0; i < EACH; i++) {
            down[i] = a[q][threadIdx.y * EACH + i];
            across[i] = b[q][threadIdx.x * EACH + i];
        }
        for (int i = 0; i < EACH; i++)
            for (int j = 0; j < EACH; j++)
                sum[i][j] = ADD::add(sum[i][j], down[i], across[j]);
    }
}

#endif
