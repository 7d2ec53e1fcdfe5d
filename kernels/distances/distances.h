/* Euclidean distances between points: D(i, j) = |x_i - y_j|, the root of the sum over the d
 * dimensions of (x_i - y_j)^2. X is n x d and Y is m x d, one point per row; D is n x m. If both
 * are the same points, D is symmetric and its diagonal is exactly 0, in every method. */
#ifndef MAXPOOL_DISTANCES_H
#define MAXPOOL_DISTANCES_H

#include "kernels/isa.h"
#include "kernels/method_call.h"

#include <stdbool.h>
#include <stddef.h>

/* One call computes a block of D. The views hold at least the block's rows of X, and the rows of Y
 * that are its columns. Coordinates are finite, and their squares do not overflow float32. */
struct distances_call {
    int64_t dimensions;
    struct view x, y;
    bool same; /* row i of x and row i of y are one point */
    struct map_view map;
    struct block block;
    /* Only if `same`: rows [shared_first, shared_first + shared_rows) of the map are in this
     * process's memory, and this call and others of the same method, with the same shared rows,
     * compute all of their columns. Each symmetric pair among these rows is then computed once and
     * stored twice, also in rows of other calls. No shared rows: the call computes its own block
     * and writes nothing else. */
    int64_t shared_first, shared_rows;
    const float *centre; /* a point that gram subtracts from all points, the same in all calls of
                            one problem; NULL: the origin. The nearer it is to all points, the fewer
                            pairs are recomputed */
    int64_t *repaired;   /* gram adds the number of pairs that it recomputed; NULL: not wanted */
};

typedef void distances_function(const struct distances_call *call, void *scratch);

distances_function distances_literal, distances_symmetric;
ISA_DECLARE(distances_function, distances_blocked);
ISA_DECLARE(distances_function, distances_gram);

/* Bytes of scratch for points of `dimensions` dimensions; SIZE_MAX: the number overflows. */
size_t distances_blocked_scratch(int64_t dimensions);
size_t distances_gram_scratch(int64_t dimensions);

/* Bound on the relative error of every method: 1e-5 or, if that is more, gamma_(d + 3), which the
 * float32 differences, squares, sums and roots may cause in any order (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2002, section 3.1). `gram` recomputes pairs that would exceed
 * it. */
double distances_relative_bound(int64_t dimensions);

#endif
