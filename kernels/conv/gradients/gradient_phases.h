/* The gradient of the image by the forward methods of convolution, at any stride. An element is
 * under the windows' places i, j of one phase alone: those with i = y + p and j = x + p modulo the
 * stride s. So the elements of a phase are a dense convolution at stride 1 of the output gradients,
 * by every s-th of the turned weights in both directions:
 *
 *   dx(c, y, x) = sum over f, and t, u < q = ceil(k / s), of
 *                 dy(f, Y - t, X - u) w(f, c, a + s t, b + s u),
 *   y + p = a + s Y, x + p = b + s X, where 0 <= a, b < s
 *
 * All phases read the same output gradients: their filters are those of one convolution, whose map
 * is parted among the phases afterwards, a band at a time; or, where the method and
 * conv_gradient_strides() have it, each phase is summed over the t and u that it has. Source: Shi
 * et al., Real-Time Single Image and Video Super-Resolution Using an Efficient Sub-Pixel
 * Convolutional Neural Network (2016), arXiv:1609.05158, section 3. At stride 1 there is one phase,
 * and where the padding is below the window its map is the gradient itself. */
#ifndef MAXPOOL_CONV_GRADIENT_PHASES_H
#define MAXPOOL_CONV_GRADIENT_PHASES_H

#include "kernels/conv/gradients/data_methods.h"
#include "kernels/conv/gradients/gradient.h"

/* The convolutions that the gradient is. */
struct conv_phases {
    struct conv_shape shape; /* of each: d_output to phases; filter (group, phase, channel) */
    bool direct;             /* its map is the gradient */
    int64_t side;            /* phases along an axis that have weights: min(s, k) */
    int64_t together;        /* phases that one convolution computes: all, or 1 */
    int64_t parts;           /* convolutions: side side / together */
};

/* All phases together, where the method can do that; otherwise each by itself. */
struct conv_phases conv_phases_of(const struct conv_data_gradient_method *m,
                                  const struct conv_shape *s);

/* NULL, or why the method cannot compute the gradient of the image. */
const char *conv_data_gradient_refuses(const struct conv_data_gradient_method *m,
                                       const struct conv_shape *s);

/* Prepares the weights, once for all calls and workers: floats that this takes, SIZE_MAX where they
 * cannot be counted; and the doing. */
size_t conv_data_gradient_packed(const struct conv_data_gradient_method *m,
                                 const struct conv_shape *s);
void conv_data_gradient_pack(const struct conv_data_gradient_method *m, enum isa isa,
                             const struct conv_shape *s, const float *weights, float *packed);

/* Scratch of one worker in bytes, aligned to 64; SIZE_MAX: uncountable. */
size_t conv_data_gradient_scratch(const struct conv_data_gradient_method *m,
                                  const struct conv_shape *s);

/* As conv_data_gradient_literal, by the method, in its build for `isa`. The call's weights are not
 * looked at. */
void conv_data_gradient_by(const struct conv_data_gradient_method *m, enum isa isa,
                           const struct conv_data_gradient *call, const float *packed,
                           void *scratch);

#endif
