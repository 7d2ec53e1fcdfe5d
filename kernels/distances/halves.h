/* Distances of points from themselves are symmetric: one of (i, j) and (j, i) is computed and
 * stored twice. Which one is a function of i and j alone, so workers that share the rows of the map
 * need no communication, and each computes about half of every row. The shared rows are divided
 * into blocks. Block i computes its distances to the blocks after it, cyclically, until it reaches
 * those that compute their distances to block i. */
#ifndef MAXPOOL_DISTANCES_HALVES_H
#define MAXPOOL_DISTANCES_HALVES_H

#include "kernels/distances/distances.h"
#include "kernels/min_max.h"

/* Rows of a block: a multiple of every tile's columns. */
enum { HALF_ROWS = 64, HALF_PARTS = 3 };

/* Rows [first, end) of the map to compute in some columns; mirrored: they are also stored
 * transposed. */
struct half {
    int64_t first, end;
    bool mirrored;
};

static inline bool half_is_shared(const struct distances_call *call, int64_t col)
{
    return call->same && col >= call->shared_first && col < call->shared_first + call->shared_rows;
}

/* Returns the end of the run of columns from `col` on that belong to one block, or to none. */
static inline int64_t half_columns_end(const struct distances_call *call, int64_t col)
{
    const int64_t first = call->shared_first, end = first + call->shared_rows;
    const int64_t last = call->block.col + call->block.cols;
    if (half_is_shared(call, col))
        return smaller(smaller(first + ((col - first) / HALF_ROWS + 1) * HALF_ROWS, end), last);
    return call->same && call->shared_rows > 0 && col < first ? smaller(first, last) : last;
}

/* The rows of the blocks [from, to) that belong to the call. */
static inline struct half half_of_blocks(const struct distances_call *call, int64_t from,
                                         int64_t to, bool mirrored)
{
    const struct block *o = &call->block;
    const int64_t end = smaller(call->shared_first + to * HALF_ROWS, o->row + o->rows);
    return (struct half){larger(call->shared_first + from * HALF_ROWS, o->row), end, mirrored};
}

/* Part 0, 1 or 2 of the rows that the call computes in the columns from `col` on; often empty. */
static inline struct half half_part(const struct distances_call *call, int64_t col, int part)
{
    const struct block *o = &call->block;
    if (!half_is_shared(call, col))
        return (struct half){o->row, part == 0 ? o->row + o->rows : o->row, false};
    const int64_t blocks = (call->shared_rows + HALF_ROWS - 1) / HALF_ROWS;
    const int64_t own = (col - call->shared_first) / HALF_ROWS;
    const bool opposite = blocks % 2 == 0 && own >= blocks / 2; /* one of two opposite blocks */
    const int64_t from = own - (blocks - 1) / 2 - opposite;
    if (part == 0)
        return half_of_blocks(call, own, own + 1, false);
    if (part == 1)
        return half_of_blocks(call, larger(0, from), own, true);
    return half_of_blocks(call, from < 0 ? from + blocks : blocks, blocks, true);
}

#endif
