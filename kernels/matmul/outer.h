/* Sums of outer products: C = A' B, where A and B have one row per term. This is the weight
 * gradient of a fully connected layer: A holds the gradients of its outputs, B its inputs, and each
 * image is a term. The terms come in parts. Each part is summed by itself and then added, part
 * after part, so that the bits are the same if some of the parts are summed elsewhere. */
#ifndef MAXPOOL_MATMUL_OUTER_H
#define MAXPOOL_MATMUL_OUTER_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

/* C(i, j) = sum over parts of (sum over terms t of the part of a(t, i) b(t, j)), i < rows,
 * j < cols. */
struct outer_call {
    const float *a, *b;
    int64_t a_step, b_step; /* floats from term to term */
    int64_t rows, cols;
    const int64_t *ends; /* part p has the terms [ends[p - 1], ends[p]), the first from 0 on */
    int64_t parts;
    float *c;
    int64_t c_step; /* floats from row to row */
    float *sums;    /* sum of each row of A', also by parts: the bias gradient; NULL: none */
};

typedef void outer_function(const struct outer_call *call, void *scratch);
ISA_DECLARE(outer_function, matmul_outer);

/* Bytes of scratch of one worker, for `terms` terms and `cols` columns; SIZE_MAX: the number
 * overflows. */
size_t matmul_outer_scratch(int64_t terms, int64_t cols);

/* Rows of A that are packed at a time; and the widest tile, to which columns are rounded up. */
enum { OUTER_ROWS = 96, OUTER_WIDTH = 32 };

#endif
