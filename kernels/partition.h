/* Partition of outputs among workers: pure functions, the same for threads and ranks.
 *
 * The outputs of all planes are cut into units. A unit is one output row of one plane, or a strip
 * of its columns if there are fewer rows than workers. Units are numbered plane by plane, row by
 * row, left to right, and each worker gets a contiguous run of them; run lengths differ by at most
 * one. In this way many small planes, one-row images and wide images are all distributed.
 *
 * Where a method computes several rows of a plane together, a unit has that many rows, the last of
 * a plane what is left: the results then do not depend on where workers begin.
 *
 * Alternatively a unit is a strip of strip_cols columns and all rows of a plane, for operators
 * whose columns are worth distributing: the filters of a convolution. */
#ifndef MAXPOOL_KERNELS_PARTITION_H
#define MAXPOOL_KERNELS_PARTITION_H

#include "kernels/method_call.h"

struct partition {
    int64_t planes, rows, cols; /* of the map */
    int64_t strips;             /* column strips per row, or per plane */
    int64_t strip_cols;         /* 0: a unit has unit_rows rows; else all, and this many columns */
    int64_t unit_rows;          /* rows of a unit, if it is not a strip of all rows */
    int64_t units;              /* of all planes */
    int64_t workers;            /* that get any units; these come first */
    bool whole_planes;          /* a block may have several whole planes */
};

/* Share of one worker: units [first, first + count). */
struct share {
    int64_t first, count;
};

/* Cuts the map for `workers` workers. A worker gets at least min_outputs outputs, so small maps use
 * fewer workers. Rows are cut into strips only if rows alone do not occupy the workers, or to keep
 * strips at most max_cols wide (0: any width). Strips are at least 16 outputs (a cache line) wide
 * unless min_outputs or max_cols requires less. */
struct partition partition_make(int64_t planes, int64_t rows, int64_t cols, int64_t workers,
                                int64_t min_outputs, int64_t max_cols);

/* Cuts the map into units of unit_rows >= 1 whole rows of a plane. */
struct partition partition_make_rows(int64_t planes, int64_t rows, int64_t cols, int64_t workers,
                                     int64_t min_outputs, int64_t unit_rows);

/* Cuts the map into strips of strip_cols >= 1 columns and all rows; the last strip of a plane has
 * the remaining columns. */
struct partition partition_make_columns(int64_t planes, int64_t rows, int64_t cols, int64_t workers,
                                        int64_t min_outputs, int64_t strip_cols);

struct share partition_share(const struct partition *d, int64_t worker);

/* The widest block that partition_next returns, in outputs. */
int64_t partition_block_cols(const struct partition *d);

/* Takes the next block off a share: whole rows of one plane (strips = 1), one strip of one row, or,
 * with strips of all rows, the share's strips of one plane. If the partition allows it, the block
 * includes all whole planes that follow in the share. False if the share is empty. */
bool partition_next(const struct partition *d, struct share *s, struct block *b);

/* Linear index of the first output of a unit; for unit `units`, the number of outputs. A worker's
 * outputs are one contiguous range of the map. With strips of all rows the ranges are as long as
 * what each worker computes and cover the map once, but are not at the places of its outputs. */
int64_t partition_output(const struct partition *d, int64_t unit);

#endif
