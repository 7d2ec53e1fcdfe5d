/* The block sizes of `packed` for the caches of a machine. */
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

/* Blocks hold whole micro-panels: rows are multiples of PACKED_ROWS_STEP and columns of
 * PACKED_COLS_STEP, the tallest and the widest tile. Terms are at least PACKED_LEAST_TERMS. */
enum { PACKED_ROWS_STEP = 12, PACKED_COLS_STEP = 32, PACKED_LEAST_TERMS = 384 };

/* A micro-panel of B, terms x PACKED_COLS_STEP, is twice as large as the first-level cache. It
 * streams from the second level, as A does, and in return the sums stay in registers for that many
 * terms. A block of A is half of the second-level cache; C and the micro-panels of B pass through
 * the other half. A panel of B is a quarter of the third level, which other workers share. Unknown
 * levels count as 32 KiB, 1 MiB and 32 MiB. All sizes stay between bounds that suit every
 * machine. */
struct packed_blocks packed_blocks_for(const struct caches *caches);

/* A range of rows, terms or columns. */
struct range {
    int64_t first, count;
};

/* Moves *part to the next part of `all`; false if none is left. Parts are near-equal, at most
 * `most` long, and multiples of `step` except the last. Begin with an empty part at the beginning
 * of `all`. */
bool packed_next_part(struct range all, int64_t most, int64_t step, struct range *part);

/* Scratch in bytes for one worker whose blocks are at most `cols` outputs wide. */
size_t packed_blocks_bytes(const struct packed_blocks *blocks, int64_t inner, int64_t cols);

#endif
