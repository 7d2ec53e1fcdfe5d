/* A statistical bound on rounding errors: it finds kernels whose operands have fewer digits than
 * float, whose errors the worst-case bound of the operator allows. */
#ifndef MAXPOOL_LAB_DIGITS_H
#define MAXPOOL_LAB_DIGITS_H

#include "classroom/lab/input.h"

struct lab_digits {
    int64_t outputs; /* that were compared; 0: too few for a bound, or the operator has none */
    double error;    /* root of the mean of error^2 / V */
    double allowed;  /* its bound, the root of c */
};

/* Compares outputs of a call, which the oracle has accepted, with the exact results, for operators
 * that sum products. The row says which sum: distances of points, windows over channels, or a
 * product without windows; where most outputs are far from it, the operator has another one, and no
 * bound. The arrays are those of a kernel from outside: planes follow each other.
 *
 * Each of the n + 1 roundings of a sum of n products changes it by at most u = 2^-24 of the sum s
 * of the absolute values of its terms, in whatever order it is summed. Model: the changes are
 * independent, or at least of mean 0 given the earlier ones (N. J. Higham, T. Mary: A new approach
 * to probabilistic rounding error analysis, 2019). Then the error of an output is sub-Gaussian with
 * variance at most V = (n + 1) (u s)^2. The outputs are in different rows and columns of a matrix
 * of results, so no two share a product; for m independent ones the mean of error^2 / V exceeds c >
 * 1 with a probability of at most exp(-(m / 2) (c - 1 - ln c)) (Chernoff's bound for a sum of
 * squares). c is such that this is 1e-9 per call, and at least 2. */
struct lab_digits lab_digits_of(const struct lab_input *in, const struct lab_arrays *arrays,
                                const struct lab_order *order);

#endif
