/* Euclidean distances between points: D(i, j) = |x_i - y_j|, the root of the sum over the d
 * dimensions of (x_i - y_j)^2. X is n x d, Y is m x d, a point a row; D is n x m. Where both are
 * the same points D is symmetric and its diagonal exactly 0, in every method. */
#ifndef MAXPOOL_DISTANCES_H
#define MAXPOOL_DISTANCES_H

#include "kernels/isa.h"
#include "kernels/method_call.h"

#include <stdbool.h>
#include <stddef.h>

/* One call: the block of D. The views hold at least the block's rows of X, and those of Y that its
 * columns are. Finite coordinates whose squares do not overflow float32. */
struct distances_call {
    int64_t dimensions;
    struct view x, y;
    bool same; /* row i of x and row i of y are one point */
    struct map_view map;
    struct block block;
    /* Of `same`: rows [shared_first, shared_first + shared_rows) of the map lie here, and all of
     * their columns are computed by this call and others of the same methods with the same shared
     * rows. Then half of what is symmetric among them is computed, and stored in rows of other
     * calls too. None: the call computes its own block, and writes nothing else. */
    int64_t shared_first, shared_rows;
    const float *centre; /* a point that gram takes all points from, the same in all calls of one
                            problem; NULL: the origin. The nearer it is to them all, the less has
                            to be repaired */
    int64_t *repaired;   /* gram adds the pairs that it computed once more; NULL: not wanted */
};

typedef void distances_function(const struct distances_call *call, void *scratch);

distances_function distances_literal, distances_symmetric;
ISA_DECLARE(distances_function, distances_blocked);
ISA_DECLARE(distances_function, distances_gram);

/* Scratch in bytes for points of that many dimensions; SIZE_MAX: uncountable. */
size_t distances_blocked_scratch(int64_t dimensions);
size_t distances_gram_scratch(int64_t dimensions);

/* The relative error of every method is at most this: 1e-5, or what the differences, squares, sums
 * and roots of float32 may bring in any order, gamma_(d + 3), where that is more (Higham, Accuracy
 * and Stability of Numerical Algorithms, 2002, section 3.1). `gram` repairs what would exceed it.
 */
double distances_relative_bound(int64_t dimensions);

#endif
