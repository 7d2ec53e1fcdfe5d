/* How `packed` cuts a product for the caches of a machine. */
#ifndef MAXPOOL_MATMUL_BLOCKS_H
#define MAXPOOL_MATMUL_BLOCKS_H

#include "kernels/caches.h"

#include <stdbool.h>
#include <stddef.h>

/* What is packed at a time: a block of A, at most rows x terms, and a panel of B, at most
 * terms x cols. */
struct packed_blocks {
    int64_t rows, terms, cols;
};

/* Whole micro-panels: rows are multiples of PACKED_ROWS_STEP, columns of PACKED_COLS_STEP, the
 * highest and the widest tile. Terms are PACKED_LEAST_TERMS at the least. */
enum { PACKED_ROWS_STEP = 12, PACKED_COLS_STEP = 32, PACKED_LEAST_TERMS = 384 };

/* A micro-panel of B, terms x PACKED_COLS_STEP, is twice what the first cache holds: it streams
 * from the second, as does A, while sums stay in registers for as many terms as that gives. A block
 * of A is half of the second cache, which C and the micro-panels of B pass through. A panel of B is
 * a quarter of the third, which other workers have a share of. Levels that are unknown are taken
 * for 32 KiB, 1 MiB and 32 MiB; all counts stay between bounds that serve every machine. */
struct packed_blocks packed_blocks_for(const struct caches *caches);

/* A range of rows, terms or columns. */
struct range {
    int64_t first, count;
};

/* The next part of `all` behind `part`: near-equal parts of at most `most`, multiples of `step`.
 * The first is behind an empty one at the beginning of all. */
bool packed_next_part(struct range all, int64_t most, int64_t step, struct range *part);

/* Scratch in bytes for one worker whose blocks are at most `cols` outputs wide. */
size_t packed_blocks_bytes(const struct packed_blocks *blocks, int64_t inner, int64_t cols);

#endif
