/* Compares several methods of one launch with the first. */
#ifndef MAXPOOL_COMPARE_H
#define MAXPOOL_COMPARE_H

#include "harness/point/point.h"

struct comparison {
    struct summary total;  /* seconds */
    struct summary faster; /* total of the first / total of this one, within rounds: a disturbance
                              of a round affects both, and cancels */
    bool best;             /* the smallest median among those with right results */
};

/* Compares the i-th method with the first; n is 0 in a summary without timed samples. */
struct comparison compare(const struct point *p, size_t i);

/* The least bytes that one execution moves: image, map and operands, each value once. */
double least_bytes(const struct operation *op);

/* Writes the rate of an execution that takes `seconds`: GFLOP/s, or GB/s for operators such as max
 * pooling. */
const char *compare_rate(const struct operation *op, double seconds, char *buffer, size_t size);

#endif
