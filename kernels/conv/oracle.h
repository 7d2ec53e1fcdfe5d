/* The frozen oracle of convolution: the definition in double precision, sharing no code with the
 * methods (kernels/oracle.h has the rules). */
#ifndef MAXPOOL_CONV_ORACLE_H
#define MAXPOOL_CONV_ORACLE_H

#include "kernels/conv/shape.h"
#include "kernels/oracle.h"

/* A batch norm after the sum and its bias: y = scale (sum + bias) + shift. */
struct conv_norm {
    double scale, shift;
};

/* One image of the batch, as a view of its channels (plane_stride apart), and the operands. */
struct conv_operands {
    const struct conv_shape *shape;
    struct view image;
    int64_t first_col;            /* column of image.data[0] */
    const float *weights;         /* K x C/G x k x k */
    const float *bias;            /* K, or NULL */
    const float *scale;           /* factors of the sum without bias: K, or NULL: 1 */
    const struct conv_norm *norm; /* of the filter that is computed; NULL: none */
    struct conv_finish finish;
    double roundoff; /* of elements and weights, if they are rounded before they are multiplied
                        (oracle_rounded_bound); 0: they are not */
};

/* Output (filter, row, col) after the epilogue, and how far a float32 result may be from it. The
 * output is
 *
 *   y = s (x_1 w_1 + ... + x_n w_n) + c + r
 *
 * with s the scale (of a factor and of a batch norm), c what is added to all outputs of a filter
 * (bias times the norm's scale, and its shift) and r the residual. u = 2^-24 is the unit roundoff.
 * In whatever order the sum is taken,
 *
 * - a term passes one rounding as it is multiplied, n additions (n + 1 numbers are added), one
 *   rounding of the scale, whether this multiplies the weight or the sum, and the addition of r;
 * - c passes one rounding as it is folded, n additions where the sum begins with it (each of them
 *   then rounds a number as large as c and the terms together), and the addition of r;
 * - r passes n + 1 additions where the sum begins with it.
 *
 * So |error| <= gamma_m (|s| sum |x_i w_i| + |c| + |r|), where |c| sums the magnitudes of its
 * parts and m is n + 1, plus one each for a factor, a norm and a residual;
 * gamma_m = m u / (1 - m u) (Higham 2002, lemma 3.1). The norm's scale and shift are computed in
 * double precision: their rounding error is less than the margin of gamma_m above (1 + u)^m - 1. A
 * product that underflows is off by half of the smallest denormal, 2^-150, before or after it is
 * scaled. So is a folded weight, and its element multiplies this error: that is as if the weight
 * were at least the smallest normal number, 2^-126. A clamp never increases a difference. */
struct expectation oracle_conv(const struct conv_operands *o, int64_t filter, int64_t row,
                               int64_t col);

/* The same if elements and weights are rounded to `roundoff`: the sum of the terms also has the
 * error of oracle_rounded_bound before it is scaled, and a folded weight that of its own
 * underflow. */
struct expectation oracle_conv_rounded(const struct conv_operands *o, int64_t filter, int64_t row,
                                       int64_t col);

/* The bound of the error of Winograd's F(2 x 2, 3 x 3), or of its phases at stride 2 (k = 3, s = 1
 * or 2; kernels/conv/winograd/winograd.c). The method adds and subtracts elements of the window,
 * and weights, before it multiplies, so its error grows with the product of their sums and not with
 * the sum of their products. Along either axis, an element's terms contain the weights' magnitudes
 * at most twice. A term passes the additions of the transforms, at most 14, and of the sum over C/G
 * channels, each with up to 4 products at stride 2. Scale, bias, norm and residual enter as above:
 * each is a term of the same sum. Halves of weights underflow as folded weights do. */
double oracle_conv_winograd_bound(const struct conv_operands *o, int64_t filter, int64_t row,
                                  int64_t col);

/* The same for F(4 x 4, 3 x 3) at the points 0, +-a, +-b and infinity, a = 11/16, b = 3/2 (k = 3,
 * s = 1; kernels/conv/winograd/winograd4.c has the matrices A, B, G). The rows and columns of tiles
 * begin at multiples of 4: the output has number r = row mod 4, q = col mod 4 in its tile. Along
 * either axis let
 *
 *   M_r(i, k) = sum over the six points p of |A(r, p)| |G(p, i)| |B(p, k)|
 *
 * Each step computes sums of products of these numbers, of which none cancels within a number. So a
 * weight w(i, j) and an element x(k, l) of the tile meet with a factor of at most M_r(i, k)
 * M_q(j, l), and of at most m_r(k) m_q(l), where m_r(k) is the largest of M_r(., k). Each such term
 * passes these roundings:
 *
 * - 1 of the transformed weight, and what double precision leaves: 2,
 * - 8 of the elements' transforms, along either axis a product and a sum, twice (half where
 * multiply-adds round once),
 * - 1 of the product, 15 of a sum over 16 channels, and one for each further 16,
 * - 8 of the inverse transforms, along either axis sum, product and two sums.
 *
 * So |error| <= gamma (sum over channels of sum |w| times sum of m_r(k) m_q(l) |x(k, l)|), and
 * scale, bias, norm and residual as above. A number that underflows on the way is off by at most
 * 2^-150. Later steps multiply this error: that of a transformed weight by its elements and 180,
 * that of an element by its weights and 350, that of a product by 70. That is less than 16 gamma_18
 * 2^-126 of elements and weights, and 36 smallest denormals for each channel and for 16 more. */
double oracle_conv_winograd4_bound(const struct conv_operands *o, int64_t filter, int64_t row,
                                   int64_t col);

#endif
