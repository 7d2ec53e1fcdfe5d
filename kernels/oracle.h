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
