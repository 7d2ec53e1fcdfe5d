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
};

/* Output (filter, row, col). The bound is the worst-case error of a float32 sum of its terms, the
 * bias being one, in any order: gamma_n times the sum of their magnitudes. */
struct expectation oracle_conv(const struct conv_operands *o, int64_t filter, int64_t row,
                               int64_t col);

#endif
