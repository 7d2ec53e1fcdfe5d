/* How many sums each kernel keeps in registers, chosen for each instruction set. Two multipliers
 * whose results take four cycles need 8 sums that do not wait for each other, and more to catch up
 * after a wait: 12 of the 16 registers of AVX2. Included once per instruction set. */
#ifndef MAXPOOL_REGISTER_TILES_H
#define MAXPOOL_REGISTER_TILES_H

#include "kernels/vector.h"

/* 32 registers (AVX-512, NEON); 16 and a multiply-add whose scalar comes from memory (AVX2); 16
 * without it, so that products take registers too (SSE2, plain C). */
#define TILE_BY_SET(wide, avx2, others)                                                            \
    (VECTOR_REGISTERS >= 32 ? (wide) : VECTOR_COLUMNS ? (avx2) : (others))

enum {
    TILE_VECTORS = 2,
    TILE_COLS = TILE_VECTORS * LANES,

    /* Matrix products, and convolutions whose lanes are filters: rows (pixels) of TILE_VECTORS
     * vectors. The sums fill the registers, except for the vectors of B and some elements of A: 12
     * x 2 of 32 registers, or 6 x 2 of 16. So TILE_ROWS x TILE_VECTORS multiply-adds share
     * TILE_ROWS + TILE_VECTORS loads. TILE_TALLEST: the most rows of a tile of pixels. */
    TILE_ROWS = VECTOR_REGISTERS >= 32 ? 12 : 6,
    TILE_TALLEST = VECTOR_REGISTERS >= 32 ? 14 : 6,

    /* The same with partial sums: with 32 registers, both these and their totals are in registers,
     * and seven rows of them still keep the units busy. With 16, the totals are in memory. */
    PARTS_TALLEST = VECTOR_REGISTERS >= 32 ? 7 : 6,

    /* Convolutions whose lanes are pixels: filters, and vectors of pixels. In AVX2 4 x 3 sums,
     * their elements and a weight are all 16 registers; 4 x 2 sums would wait for each other. */
    ADJACENT_FILTERS = TILE_BY_SET(8, 4, TILE_COLS < 4 ? TILE_COLS : 4),
    ADJACENT_VECTORS = TILE_BY_SET(3, 3, 2),

    /* Depthwise convolutions: output rows at a time, under any windows and under those of 3 x 3.
     * Any windows: all sums are in registers. 3 x 3: the nine weights are, and the sums of the two
     * or three output rows that the current image row adds to. */
    DEPTHWISE_ROWS = VECTOR_REGISTERS >= 32 ? 7 : 4,
    DEPTHWISE_ROWS_OF_THREE = TILE_BY_SET(7, 7, 4)
};

#endif
