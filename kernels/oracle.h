/* The frozen oracles: slow, plain and independent of every method. They share no code with the
 * methods except the geometry, and are never optimized: changing an oracle changes what is correct.
 * Each gives the correct value and the largest error that a float32 result may have. */
#ifndef MAXPOOL_ORACLE_H
#define MAXPOOL_ORACLE_H

#include "kernels/method_call.h"

/* The correct value at one output: |result - value| <= bound, and result == value if bound is 0. */
struct expectation {
    double value;
    double bound;
};

/* The window of one output, and a view with those of its pixels that are inside the image; the
 * view's rows may begin at a column other than 0. */
struct oracle_window {
    const struct geometry *geometry;
    struct view image;
    int64_t first_col; /* column of image.data[0] */
    int64_t row, col;  /* of the output */
};

/* Oracle one: the plain maximum of the window, for the identity filter. Exact (bound 0). */
struct expectation oracle_maximum(const struct oracle_window *w);

/* Oracle two: max over (i, j) of sum over q of W(i,q) * B(q,j), in double precision. The bound is
 * the worst-case error of a float32 dot product of k terms in any order, gamma_k * max over (i, j)
 * of sum over q of |W(i,q)| |B(q,j)|,  gamma_k = k u / (1 - k u), u = 2^-24 (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2002, section 3.1), plus k smallest denormals for underflow;
 * the maximum of values each within a bound is within it too. */
struct expectation oracle_product(const struct oracle_window *w, const float *filter);

/* Part of one row of the matrix product: out[j] = sum over q of a[q] * B(q, col + j), j < cols, in
 * double precision, with the bound of a float32 dot product of `terms` terms. b holds all terms. */
void oracle_dots(const float *a, const struct view *b, int64_t terms, int64_t col, int64_t cols,
                 struct expectation *out);

/* The same for operands that are rounded before they are multiplied; `elements` is at least the sum
 * of the magnitudes of an output's operands. */
void oracle_rounded_dots(const float *a, const struct view *b, int64_t terms, int64_t col,
                         int64_t cols, double roundoff, double elements, struct expectation *out);

/* Error bound of a dot product of `terms` products whose magnitudes sum to `magnitude`, if each
 * operand is first rounded to the nearest number of a shorter format with unit roundoff r (or to a
 * multiple of its smallest one, less than 2^-126 apart), and the products are summed in float32.
 *
 * - Operands: x(1 + d) y(1 + e) with |d|, |e| <= r is off by at most (2 r + r^2) |x y|. Below the
 *   smallest normal number an operand is off by 2^-126 at most, which the other one multiplies.
 * - Sums: products of shorter operands are exact in float32's 24 bits. Tensor cores align some
 *   products and the sum so far to the largest of them and cut off what is below, so that each may
 *   lose 2^-23 of the largest, twice a rounding to the nearest, and so may the stored sum (Fasi,
 *   Higham, Mikaitis and Pranesh 2021, "Numerical behavior of NVIDIA tensor cores"). That is at
 *   most two losses of 2 u for each product: gamma of 4 n (the bound of n roundings, below). */
double oracle_rounded_bound(double roundoff, int64_t terms, double magnitude, double elements);

/* Error bound of a float32 dot product of `terms` products whose magnitudes sum to `magnitude`, in
 * any order: gamma_terms * magnitude, plus `terms` smallest denormals; infinite if terms * u is at
 * least 1. */
double oracle_bound(int64_t terms, double magnitude);

/* True if the comparison of a float32 result must be exact although the filter is not the identity:
 * all values are integers and terms * max|x| * max|b| < 2^24, so no sum ever rounds. */
bool oracle_is_exact(bool integers, int64_t terms, double max_x, double max_b);

/* Whether a result meets an expectation. NaN and infinity never do. -0 equals 0. */
bool oracle_accepts(struct expectation e, float result);

#endif
