/* Several methods of one launch against the first. */
#ifndef MAXPOOL_COMPARE_H
#define MAXPOOL_COMPARE_H

#include "harness/point/point.h"

struct comparison {
    struct summary total;  /* seconds */
    struct summary faster; /* total of the first / total of this one, within rounds: what disturbs a
                              turn disturbs both, and cancels */
    bool best;             /* the least median among those whose results are right */
};

/* How the i-th method compares; every n is 0 where it has no timed sample. */
struct comparison compare(const struct point *p, size_t i);

/* What the operator must move at the least in one execution, image and map and operands, each value
 * once; and what it computes, every output by itself: 2 operations a multiply-add. */
double least_bytes(const struct operation *op);
double direct_operations(const struct operation *op);

/* The rate that this is in that many seconds: GB/s of max pooling, GFLOP/s of the matrix product.
 */
const char *compare_rate(const struct operation *op, double seconds, char *buffer, size_t size);

#endif
