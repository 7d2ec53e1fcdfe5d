/* What the operator rows of a convolution and of its two gradients share: options, operands, and
 * the shapes that follow from them. All three have images N x C x H x W, weights K x C/G x k x k
 * and outputs N x K x OH x OW; each computes one of these from the other two. */
#ifndef MAXPOOL_CONV_ROWS_H
#define MAXPOOL_CONV_ROWS_H

#include "kernels/operators.h"

/* `conv_gradient` selects which of the three a program runs. */
extern const struct parameter conv_kernel, conv_stride, conv_batch, conv_channels, conv_filters,
    conv_groups, conv_gradient;
extern const struct operand_row conv_weights, conv_d_output;

/* For operator_row: image_channels, random_shape, parameters_from_image. */
int64_t conv_image_channels(const struct operation *op);
struct image_shape conv_random_shape(const struct parameters *p, struct image_shape sizes);
void conv_parameters_from_image(struct parameters *p, struct image_shape planes, int64_t images);

/* Completes the geometry from image and parameters, or returns why it is impossible. */
struct refusal conv_complete_operation(struct operation *op);

/* Refuses a complete operation whose sums have too many terms; `sum_of` names the sizes that a sum
 * runs over. */
struct refusal conv_refuse_terms(const struct operation *op, const char *sum_of);

/* A value for each output of the convolution: N x K planes of OH x OW, and N. */
struct image_shape conv_outputs_shape(const struct operation *op);
int64_t conv_outputs_count(const struct operation *op);

/* A multiply-add for each pair of an output and an element inside the image that its window covers:
 * the same number in all three. */
double conv_multiplications(const struct operation *op);

/* "16 filters, kernel size 3, stride 1, padding 0" */
void conv_describe(const struct operation *op, char *text, size_t size);

#endif
