/* The gradients of a convolution, for training: of an objective with respect to image, weights and
 * bias, from the output gradient `d_output`. The first two are convolutions again.
 *
 *   data gradient    dx(n, c, y, x) = sum over the filters f of c's group, and i, j < k, where
 *                    (y + p - i) / s and (x + p - j) / s are an output's row v and column u,
 *                    of dy(n, f, v, u) w(f, c, i, j)
 *   weight gradient  dw(f, c, i, j) = sum over images n and outputs (v, u)
 *                    of dy(n, f, v, u) x(n, c, v s + i - p, u s + j - p)
 *   bias gradient    db(f) = sum over images n and outputs (v, u) of dy(n, f, v, u)
 *
 * Source: Goodfellow, Bengio & Courville, Deep Learning (2016), section 9.5, equations 9.11 and
 * 9.13. */
#ifndef MAXPOOL_CONV_GRADIENT_H
#define MAXPOOL_CONV_GRADIENT_H

#include "kernels/conv/shape.h"
#include "kernels/isa.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- data gradient --------------------------------------------------------------------------- */

/* Rows [row, row + rows) of all channels of one image: the definition, for any shape. */
struct conv_data_gradient {
    const struct conv_shape *shape;
    const float *weights;  /* K x C/G x k x k */
    const float *d_output; /* K x OH x OW */
    struct map_view image; /* channel c is at data + c * plane_stride */
    int64_t row, rows;
};

void conv_data_gradient_literal(const struct conv_data_gradient *call);

/* The data gradient, phase by phase of the stride, each phase with only its own places of the
 * window (conv/gradients/gradient_strided.c). Its lanes are the channels;
 * conv_data_gradient_prefers_strided() says whether it computes no more than all phases as one
 * convolution do. Floats that the pack function writes, and scratch of one worker in bytes;
 * SIZE_MAX: uncountable. The call's weights are not read. */
typedef void conv_data_gradient_function(const struct conv_data_gradient *call, const float *packed,
                                         void *scratch);
typedef void conv_data_gradient_pack_function(const struct conv_shape *s, const float *weights,
                                              float *packed);
ISA_DECLARE(conv_data_gradient_function, conv_data_gradient_strided);
ISA_DECLARE(conv_data_gradient_pack_function, conv_data_gradient_strided_pack);
bool conv_data_gradient_prefers_strided(const struct conv_shape *s);
size_t conv_data_gradient_strided_packed(const struct conv_shape *s);
size_t conv_data_gradient_strided_scratch(const struct conv_shape *s);

/* At stride 1, and with a padding smaller than the window, the data gradient is a convolution of
 * the output gradients with rotated filters: any forward method computes it. Its shape, and its
 * weights C x K/G x k x k: w'(c, f, i, j) = w(f, c, k - 1 - i, k - 1 - j). */
bool conv_data_gradient_is_convolution(const struct conv_shape *s);
struct conv_shape conv_rotated_shape(const struct conv_shape *s);
void conv_rotate_filters(const struct conv_shape *s, const float *weights, float *rotated);

/* ---- weight gradient ------------------------------------------------------------------------- */

/* Images in memory order: row y of channel c of image n is at
 * data + n * image_stride + c * channel_stride + y * row_stride. */
struct conv_images {
    const float *data;
    int64_t image_stride, channel_stride, row_stride;
};

/* N x C x H x W. */
struct conv_images conv_images_by_planes(const struct conv_shape *s, const float *data);

/* The gradients of the filters [filter, filter + filters), summed over `images` images in an order
 * that depends only on the shape and on `images`. They are set, not added. */
struct conv_weight_gradient {
    const struct conv_shape *shape;
    struct conv_images image;
    const float *d_output; /* images x K x OH x OW */
    int64_t images;
    int64_t filter, filters;
    float *weights; /* of these filters: filters x C/G x k x k */
    float *bias;    /* filters; NULL: no bias */
};

typedef void conv_weight_gradient_function(const struct conv_weight_gradient *call, void *scratch);

/* The definition, in seven loops. Uses no scratch. */
conv_weight_gradient_function conv_weight_gradient_literal;

/* A product in register tiles: filters by channels, a sum for each place of the window, over the
 * outputs. Output gradients are packed so that filters are contiguous, images so that channels
 * are. */
ISA_DECLARE(conv_weight_gradient_function, conv_weight_gradient_tiles);

/* The same by products of transformed tiles, 16 instead of 36. Only for 3 x 3 windows at stride 1;
 * conv_weight_gradient_prefers_winograd() says whether it is worthwhile. */
ISA_DECLARE(conv_weight_gradient_function, conv_weight_gradient_winograd);
bool conv_weight_gradient_prefers_winograd(const struct conv_shape *s);

/* Scratch of one worker in bytes, for calls of at most `filters` filters; SIZE_MAX: uncountable. */
size_t conv_weight_gradient_scratch(const struct conv_shape *s, int64_t filters);
size_t conv_weight_gradient_winograd_scratch(const struct conv_shape *s, int64_t filters);

/* Calls take multiples of this many filters, except the last: whole micro-panels. */
enum { GRADIENT_FILTERS = 12 };

#endif
