/* Partition of outputs among workers: pure functions, the same for threads and ranks.
 *
 * The outputs of all planes are cut into units, a unit being one output row of one plane, or a
 * strip of its columns where there are fewer rows than workers. Units are numbered plane by plane,
 * row by row, left to right, and each worker gets a contiguous run of them; run lengths differ by
 * at most one. So many small planes, one-row images and wide ones all spread.
 *
 * Or a unit is a strip of so many columns of all rows of a plane, for operators whose columns are
 * worth distributing: the filters of a convolution. */
#ifndef MAXPOOL_KERNELS_PARTITION_H
#define MAXPOOL_KERNELS_PARTITION_H

#include "kernels/method_call.h"

struct partition {
    int64_t planes, rows, cols; /* of the map */
    int64_t strips;             /* column strips per row, or per plane */
    int64_t strip_cols;         /* 0: a unit has one row; else all rows and so many columns */
    int64_t units;              /* planes * rows * strips, or planes * strips */
    int64_t workers;            /* those that get any units come first */
    bool whole_planes;          /* blocks may be several whole planes */
};

/* Share of one worker: units [first, first + count). */
struct share {
    int64_t first, count;
};

/* Cuts the map for `workers` workers. A worker gets at least min_outputs outputs, so small maps use
 * fewer workers; rows are cut into strips only where rows alone do not occupy the workers, and no
 * strip is wider than max_cols (0: any). Strips are at least 16 outputs (a cache line) wide unless
 * min_outputs asks for less. */
struct partition partition_make(int64_t planes, int64_t rows, int64_t cols, int64_t workers,
                                int64_t min_outputs, int64_t max_cols);

/* By strips of strip_cols >= 1 columns of all rows, the last of a plane being what is left. */
struct partition partition_make_columns(int64_t planes, int64_t rows, int64_t cols, int64_t workers,
                                        int64_t min_outputs, int64_t strip_cols);

struct share partition_share(const struct partition *d, int64_t worker);

/* Widest block that partition_next will give, in outputs. */
int64_t partition_block_cols(const struct partition *d);

/* Takes the next block off a share: whole rows of one plane (strips = 1), or one strip of one row,
 * or all strips of one plane that are of all rows; where the partition allows it, all whole planes
 * that follow in the share. False where it is empty. */
bool partition_next(const struct partition *d, struct share *s, struct block *b);

/* Linear index of the first output of a unit; that of unit `units` is the number of outputs. A
 * worker's outputs are one contiguous range of the map; where units have all rows, the ranges are
 * as long as what each computes and cover the map once, but lie elsewhere in it. */
int64_t partition_output(const struct partition *d, int64_t unit);

#endif
