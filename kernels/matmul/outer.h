/* Sums of outer products: C (+)= A' B, both A and B having a row for each term. What the gradient
 * of a fully connected layer's weights is: A the gradients of its outputs, B its inputs, a term for
 * each image. The terms come in parts; each part is summed by itself and then added, part after
 * part, so that whoever sums some of the parts elsewhere gets the same bits. */
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
    float *sums;    /* of each row of A' alone, by parts too: the gradient of a bias; NULL: none */
};

typedef void outer_function(const struct outer_call *call, void *scratch);
ISA_DECLARE(outer_function, matmul_outer);

/* Scratch in bytes of one worker, for so many terms and columns; SIZE_MAX: uncountable. */
size_t matmul_outer_scratch(int64_t terms, int64_t cols);

/* Rows of A that are packed at a time, and what columns are rounded up to: the widest tile. */
enum { OUTER_ROWS = 96, OUTER_WIDTH = 32 };

#endif
