/* What the product and the convolution with sums in registers have in common: a pair of tiles in
 * shared memory, of which a thread of a block of BLOCK x BLOCK multiplies DOWN rows by ACROSS
 * columns. */
#ifndef MAXPOOL_CUDA_REGISTER_TILES_CUH
#define MAXPOOL_CUDA_REGISTER_TILES_CUH

#include "cuda/kernels/kernels.h"

#include <cuda_runtime.h>

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
 * apart. So a warp reads B contiguously, and one piece of A for all threads of a row. */
template <int BLOCK> static __device__ __forceinline__ int own_row(int i)
{
    return i * BLOCK + (int)threadIdx.y;
}

template <int BLOCK> static __device__ __forceinline__ int own_column(int j)
{
    return j / 4 * (4 * BLOCK) + 4 * (int)threadIdx.x + j % 4;
}

/* sum += the products of a pair, term by term. */
template <class TILING>
static __device__ __forceinline__ void multiply(float (&sum)[TILING::DOWN][TILING::ACROSS],
                                                const tiles<TILING> &from)
{
    constexpr int BLOCK = TILING::BLOCK, DOWN = TILING::DOWN, ACROSS = TILING::ACROSS;
#pragma unroll
    for (int q = 0; q < tiles<TILING>::TERMS; q += 2) {
        float2 a[DOWN];
        for (int i = 0; i < DOWN; i++)
            a[i] = *reinterpret_cast<const float2 *>(&from.a[own_row<BLOCK>(i)][q]);
#pragma unroll
        for (int p = 0; p < 2; p++) {
            float b[ACROSS];
            for (int j = 0; j < ACROSS; j += 4)
                read_four(&b[j], &from.b[q + p][own_column<BLOCK>(j)]);
#pragma unroll
            for (int i = 0; i < DOWN; i++)
                for (int j = 0; j < ACROSS; j++)
                    sum[i][j] += (p == 0 ? a[i].x : a[i].y) * b[j];
        }
    }
}

#endif
