/* The frozen oracles of a convolution's gradients (kernels/conv/gradients/gradient.h): the
 * definitions in double precision, sharing no code with the methods (kernels/oracle.h has the
 * rules). */
#ifndef MAXPOOL_CONV_GRADIENT_ORACLE_H
#define MAXPOOL_CONV_GRADIENT_ORACLE_H

#include "kernels/conv/gradients/gradient.h"
#include "kernels/oracle.h"

struct conv_gradient_operands {
    const struct conv_shape *shape;
    struct conv_images image; /* for the weight gradient; unused otherwise */
    const float *weights;     /* K x C/G x k x k; for the data gradient */
    const float *d_output;    /* images x K x OH x OW */
    int64_t images;
};

/* Element (channel, row, col) of the data gradient of image n. */
struct expectation oracle_conv_data_gradient(const struct conv_gradient_operands *o, int64_t n,
                                             int64_t channel, int64_t row, int64_t col);

/* The bound of a method that transforms tiles of the output gradients, under windows of 3 x 3: as
 * oracle_conv_winograd_bound. */
double oracle_conv_data_gradient_winograd_bound(const struct conv_gradient_operands *o, int64_t n,
                                                int64_t channel, int64_t row, int64_t col);

/* The largest error of conv_weight_gradient_winograd at weight `at`, summed over all images in
 * `parts` parts: its transforms add numbers that cancel out. */
double oracle_conv_weight_gradient_winograd_bound(const struct conv_gradient_operands *o,
                                                  int64_t at, int64_t parts);

/* Weight `at` of the K x C/G x k x k, and the bias of a filter: sums over all images. */
struct expectation oracle_conv_weight_gradient(const struct conv_gradient_operands *o, int64_t at);
struct expectation oracle_conv_bias_gradient(const struct conv_gradient_operands *o,
                                             int64_t filter);

#endif
