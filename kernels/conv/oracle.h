/* The frozen oracle of convolution: the definition in double precision, sharing no code with the
 * methods (kernels/oracle.h has the rules). */
#ifndef MAXPOOL_CONV_ORACLE_H
#define MAXPOOL_CONV_ORACLE_H

#include "kernels/conv/shape.h"
#include "kernels/oracle.h"

/* One image of the batch, as a view of its channels (plane_stride apart), and the operands. */
struct conv_operands {
    const struct conv_shape *shape;
    struct view image;
    int64_t first_col;    /* column of image.data[0] */
    const float *weights; /* K x C/G x k x k */
    const float *bias;    /* K, or NULL */
    const float *scale;   /* of the sum without bias: K, or NULL: 1 */
    struct conv_finish finish;
};

/* Output (filter, row, col), finished. The bound is the worst-case error of a float32 sum of its
 * terms, bias and residual being two, in any order: gamma_n times the sum of their magnitudes. A
 * scale may be multiplied into weights or sum, either of which rounds once more. A clamp brings no
 * two numbers further apart. */
struct expectation oracle_conv(const struct conv_operands *o, int64_t filter, int64_t row,
                               int64_t col);

/* How far a sum by Winograd's F(2 x 2, 3 x 3) may be from it (k = 3, s = 1): it adds and subtracts
 * cells of the window, and weights, before it multiplies, so that its errors go with the product of
 * their sums and not with the sum of their products. Of either axis a cell's terms have the
 * weights' magnitudes at most twice; and a term passes the transforms' additions, at most 14, and
 * the sum over C/G channels. */
double oracle_conv_winograd_bound(const struct conv_operands *o, int64_t filter, int64_t row,
                                  int64_t col);

#endif
