/* Sums of products by tensor cores, of two tiles in shared memory: what the product and the
 * convolution have in common. A block computes 128 x 128 sums in steps of 16 terms. Its warps
 * divide them into rectangles, each of which is products of 16 x 8 (mma.cuh). The tiles are in
 * float32, as they are fetched; a warp rounds the operands when it reads them. */
#ifndef MAXPOOL_CUDA_TENSOR_TILES_CUH
#define MAXPOOL_CUDA_TENSOR_TILES_CUH

#include "cuda/kernels/kernels.h"
#include "cuda/kernels/tensor/mma.cuh"

enum {
    TENSOR_TILE = 128, /* sums of a block, each way */
    TENSOR_TERMS = 16  /* per step */
};

/* Elements from one row of a tile to the next, so that lanes read different banks. In tf32 the 32
 * lanes read 8 rows of A, 4 terms of each, and 4 adjacent rows of B, 8 columns of each. In bf16 16
 * lanes at a time read 4 rows of A, 8 terms of each, and the 32 lanes every second row of B. */
template <class MATH> struct tensor_tiles {
    static constexpr int ROWS = TENSOR_TILE, COLS = TENSOR_TILE, TERMS = TENSOR_TERMS;
    static constexpr int A_ROW = TENSOR_TERMS + 4 * MATH::ADJACENT;
    static constexpr int B_ROW = TENSOR_TILE + 8 / MATH::ADJACENT;
    float a[TENSOR_TILE][A_ROW], b[TENSOR_TERMS][B_ROW];
};

/* The only tiles of these kernels. The cycles in which two warps per scheduler issue a step of the
 * product are 446 in tf32; in bf16 they issue for 238, but their accesses to shared memory take
 * 384. */
static inline const struct tile_size *tensor_tile_sizes(int64_t block)
{
    static const struct tile_size of_16[] = {{{TENSOR_TILE / 16, TENSOR_TILE / 16}, 223},
                                             {{0, 0}, 0}};
    static const struct tile_size of_32[] = {{{TENSOR_TILE / 32, TENSOR_TILE / 32}, 0},
                                             {{0, 0}, 0}};
    return block == 32 ? of_32 : of_16;
}

/* The part of a block of BLOCK x BLOCK threads that one of its warps computes: DOWN x ACROSS
 * products of 16 x 8. */
template <int BLOCK> struct tensor_warp {
    enum {
        WARPS_DOWN = BLOCK / 8,
        WARPS_ACROSS = BLOCK * BLOCK / 32 / WARPS_DOWN,
        DOWN = TENSOR_TILE / MMA_ROWS / WARPS_DOWN,
        ACROSS = TENSOR_TILE / MMA_COLS / WARPS_ACROSS
    };
    int row, col;      /* of the block's sums: the first of the warp's */
    int group, member; /* of the lane (mma.cuh) */

    __device__ __forceinline__ explicit tensor_warp(int thread)
        : row(thread / 32 / WARPS_ACROSS * DOWN * MMA_ROWS),
          col(thread / 32 % WARPS_ACROSS * ACROSS * MMA_COLS), group(thread % 32 / 4),
          member(thread % 4)
    {
    }
};

/* Reads the fragments of the terms from q on. */
template <class MATH, int BLOCK>
static __device__ __forceinline__ void read_a(uint32_t (&a)[MMA_A], const tensor_tiles<MATH> &from,
                                              const tensor_warp<BLOCK> &w, int down, int q)
{
#pragma unroll
    for (int i = 0; i < MMA_A; i++) {
        const int row = w.row + down * MMA_ROWS + w.group + 8 * (i % 2);
        a[i] = MATH::in_row(&from.a[row][q + MATH::first_term(w.member, i / 2)]);
    }
}

template <class MATH, int BLOCK>
static __device__ __forceinline__ void read_b(uint32_t (&b)[MMA_B], const tensor_tiles<MATH> &from,
                                              const tensor_warp<BLOCK> &w, int across, int q)
{
#pragma unroll
    for (int i = 0; i < MMA_B; i++) {
        const int col = w.col + across * MMA_COLS + w.group;
        b[i] = MATH::in_column(&from.b[q + MATH::first_term(w.member, i)][col],
                               tensor_tiles<MATH>::B_ROW);
    }
}

/* Adds the products of a pair of tiles to the warp's sums. */
template <class MATH, int BLOCK, int DOWN, int ACROSS>
static __device__ __forceinline__ void tensor_multiply(float (&sums)[DOWN][ACROSS][MMA_D],
                                                       const tensor_tiles<MATH> &from,
                                                       const tensor_warp<BLOCK> &w)
{
#pragma unroll
    for (int q = 0; q < TENSOR_TERMS; q += MATH::TERMS) {
        uint32_t a[DOWN][MMA_A];
#pragma unroll
        for (int i = 0; i < DOWN; i++)
            read_a<MATH>(a[i], from, w, i, q);
#pragma unroll
        for (int j = 0; j < ACROSS; j++) {
            uint32_t b[MMA_B];
            read_b<MATH>(b, from, w, j, q);
#pragma unroll
            for (int i = 0; i < DOWN; i++)
                MATH::add(sums[i][j], a[i], b);
        }
    }
}

#endif
