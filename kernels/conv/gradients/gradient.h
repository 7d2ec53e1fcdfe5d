/* The gradients of a convolution, for training: what an objective changes by where the outputs
 * change the objective by `d_output`. Both are convolutions again.
 *
 *   of the image    dx(n, c, y, x) = sum over the filters f of c's group, and i, j < k, where
 *                   (y + p - i) / s and (x + p - j) / s are an output's row v and column u,
 *                   of dy(n, f, v, u) w(f, c, i, j)
 *   of the weights  dw(f, c, i, j) = sum over images n and outputs (v, u)
 *                   of dy(n, f, v, u) x(n, c, v s + i - p, u s + j - p)
 *   of the bias     db(f) = sum over images n and outputs (v, u) of dy(n, f, v, u)
 *
 * Source: Goodfellow, Bengio & Courville, Deep Learning (2016), section 9.5, equations 9.11 and
 * 9.13. */
#ifndef MAXPOOL_CONV_GRADIENT_H
#define MAXPOOL_CONV_GRADIENT_H

#include "kernels/conv/shape.h"
#include "kernels/isa.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- of the image ---------------------------------------------------------------------------- */

/* Rows [row, row + rows) of one image's channels: the definition, any shape. */
struct conv_data_gradient {
    const struct conv_shape *shape;
    const float *weights;  /* K x C/G x k x k */
    const float *d_output; /* K x OH x OW */
    struct map_view image; /* channel c lies at data + c * plane_stride */
    int64_t row, rows;
};

void conv_data_gradient_literal(const struct conv_data_gradient *call);

/* By phases of the stride, each by its own places of the window (conv/gradient_strided.c): where
 * conv_gradient_strides() says that its lanes, the channels, do less than all phases as one
 * convolution. Floats that the pack function writes and scratch of one worker in bytes; SIZE_MAX:
 * uncountable. The call's weights are not looked at. */
typedef void conv_data_gradient_function(const struct conv_data_gradient *call, const float *packed,
                                         void *scratch);
typedef void conv_turn_function(const struct conv_shape *s, const float *weights, float *packed);
ISA_DECLARE(conv_data_gradient_function, conv_data_gradient_strided);
ISA_DECLARE(conv_turn_function, conv_data_gradient_strided_pack);
bool conv_gradient_strides(const struct conv_shape *s);
size_t conv_data_gradient_strided_packed(const struct conv_shape *s);
size_t conv_data_gradient_strided_scratch(const struct conv_shape *s);

/* At stride 1, and where padding is below the window, the gradient of the image is a convolution of
 * the output gradients by turned filters: any forward method computes it. Its shape, and its
 * weights C x K/G x k x k: w'(c, f, i, j) = w(f, c, k - 1 - i, k - 1 - j). */
bool conv_can_turn(const struct conv_shape *s);
struct conv_shape conv_turned(const struct conv_shape *s);
void conv_turn(const struct conv_shape *s, const float *weights, float *turned);

/* ---- of the weights -------------------------------------------------------------------------- */

/* Images in memory order: row y of channel c of image n at
 * data + n * image_stride + c * channel_stride + y * row_stride. */
struct conv_images {
    const float *data;
    int64_t image_stride, channel_stride, row_stride;
};

/* N x C x H x W. */
struct conv_images conv_images_by_planes(const struct conv_shape *s, const float *data);

/* Those of the filters [filter, filter + filters), summed over `images` images in an order that
 * hangs on the shape and on `images` alone, and set. */
struct conv_weight_gradient {
    const struct conv_shape *shape;
    struct conv_images image;
    const float *d_output; /* images x K x OH x OW */
    int64_t images;
    int64_t filter, filters;
    float *weights; /* of these filters: filters x C/G x k x k */
    float *bias;    /* filters; NULL: there is none */
};

typedef void conv_weight_gradient_function(const struct conv_weight_gradient *call, void *scratch);

/* The definition, in seven loops. Takes no scratch. */
conv_weight_gradient_function conv_weight_gradient_literal;

/* A product of register tiles: filters by channels, a sum for each place of the window, its terms
 * the outputs. Output gradients are packed so that filters lie side by side, images so that
 * channels do. */
ISA_DECLARE(conv_weight_gradient_function, conv_weight_gradient_tiles);

/* The same by products of transformed tiles, 16 where the others take 36: 3 x 3 windows at stride 1
 * alone, and worth it where conv_gradient_winds() says so. */
ISA_DECLARE(conv_weight_gradient_function, conv_weight_gradient_winograd);
bool conv_gradient_winds(const struct conv_shape *s);

/* Scratch of one worker in bytes, for calls of at most so many filters; SIZE_MAX: uncountable. */
size_t conv_weight_gradient_scratch(const struct conv_shape *s, int64_t filters);
size_t conv_weight_gradient_winograd_scratch(const struct conv_shape *s, int64_t filters);

/* Filters that calls are to be multiples of, but the last: whole micro-panels. */
enum { GRADIENT_FILTERS = 12 };

#endif
