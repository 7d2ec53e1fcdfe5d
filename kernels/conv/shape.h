/* The shapes of a convolution as networks have it: cross-correlation, no flip, zeros around.
 *
 *   image  N x C x H x W    filters  K x C/G x k x k    bias  K    output  N x K x OH x OW
 *
 * Sum (n, f, y, x) = bias(f) + sum over the C/G channels c of f's group, and i, j < k, of
 * image(n, c, y s + i - p, x s + j - p) filters(f, c, i, j). Row-major floats, sizes in elements.
 * The output is the sum, or what struct conv_finish makes of it.
 */
#ifndef MAXPOOL_CONV_SHAPE_H
#define MAXPOOL_CONV_SHAPE_H

#include "kernels/method_call.h"

#include <stdbool.h>
#include <stdint.h>

struct conv_shape {
    int64_t batch, channels, rows, cols; /* N, C, H, W */
    int64_t filters, groups;             /* K, G: both C and K are multiples of G */
    int64_t kernel, stride, padding;
    int64_t out_rows, out_cols; /* OH, OW, by the formula of pooling (kernels/geometry.h) */
};

/* What is done to an output after its sum and bias: a residual is added, then it is clamped. NaN
 * stays NaN. */
struct conv_finish {
    struct view residual; /* has the map's layout: filter f at data + f * plane_stride; its rows are
                             contiguous wherever the map's are. data NULL: no residual */
    bool clamped;
    float least, most;
};

enum conv_status {
    CONV_OK,
    CONV_BAD_SIZE,   /* a size, the kernel size, the stride, filters or groups below 1; p below 0 */
    CONV_BAD_GROUPS, /* groups do not divide channels and filters */
    CONV_NO_FIT,     /* the window does not fit the padded image */
    CONV_OVERFLOW    /* a padded size, the terms of an output, or the bytes of image, filters or
                        output exceed 63 bits */
};

/* Checks every field except out_rows and out_cols, and sets those two (0 unless CONV_OK). */
enum conv_status conv_complete(struct conv_shape *s);

/* Terms of one output: C/G k k. */
int64_t conv_terms(const struct conv_shape *s);

#endif
