/* The host methods of the matrix product, one per file; matmul_methods.c gives each its row. */
#ifndef MAXPOOL_MATMUL_H
#define MAXPOOL_MATMUL_H

#include "kernels/methods.h"

matmul_function matmul_naive, matmul_interchanged, matmul_blocked;
ISA_DECLARE(matmul_function, matmul_packed);

/* What `packed` packs at a time: a block of A, at most PACKED_ROWS x PACKED_TERMS, and a panel of
 * B, at most PACKED_TERMS x PACKED_COLS, its columns rounded up to a whole step. */
enum { PACKED_ROWS = 240, PACKED_TERMS = 384, PACKED_COLS = 4096, PACKED_COLS_STEP = 32 };

/* Scratch in bytes for a product of `inner` terms in blocks at most `cols` outputs wide. */
size_t matmul_packed_scratch(int64_t inner, int64_t cols);

#endif
