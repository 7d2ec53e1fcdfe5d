/* The data gradient by the forward methods of convolution, at any stride. Windows have an element
 * of the image only at places i, j of one phase: those with i = y + p and j = x + p modulo the
 * stride s. So the elements of a phase are a dense convolution at stride 1 of the output gradients,
 * with every s-th of the rotated weights in both directions:
 *
 *   dx(c, y, x) = sum over f, and t, u < q = ceil(k / s), of
 *                 dy(f, Y - t, X - u) w(f, c, a + s t, b + s u),
 *   y + p = a + s Y, x + p = b + s X, where 0 <= a, b < s
 *
 * All phases read the same output gradients, so their filters are combined into one convolution,
 * whose map is distributed over the phases afterwards, a band at a time. Or, if the method can and
 * conv_data_gradient_prefers_strided() says so, each phase sums over only the t and u that it has.
 * Source: Shi et al., Real-Time Single Image and Video Super-Resolution Using an Efficient
 * Sub-Pixel Convolutional Neural Network (2016), arXiv:1609.05158, section 3. At stride 1 there is
 * one phase; if the padding is smaller than the window too, its map is the gradient itself. */
#ifndef MAXPOOL_CONV_GRADIENT_PHASES_H
#define MAXPOOL_CONV_GRADIENT_PHASES_H

#include "kernels/conv/gradients/data_methods.h"
#include "kernels/conv/gradients/gradient.h"

/* The convolutions that compute the gradient. */
struct conv_phases {
    struct conv_shape shape; /* from d_output to phases; filter = (group, phase, channel) */
    bool direct;             /* the map is the gradient */
    int64_t side;            /* phases along an axis that have weights: min(s, k) */
    int64_t together;        /* phases that one convolution computes: all, or 1 */
    int64_t parts;           /* number of convolutions: side side / together */
};

/* All phases together if the method can do that; otherwise each separately. */
struct conv_phases conv_phases_of(const struct conv_data_gradient_method *m,
                                  const struct conv_shape *s);

/* NULL, or why the method cannot compute the data gradient. */
const char *conv_data_gradient_refuses(const struct conv_data_gradient_method *m,
                                       const struct conv_shape *s);

/* The floats of the prepared weights, SIZE_MAX if they cannot be counted; and their preparation,
 * once for all calls and workers. */
size_t conv_data_gradient_packed(const struct conv_data_gradient_method *m,
                                 const struct conv_shape *s);
void conv_data_gradient_pack(const struct conv_data_gradient_method *m, enum isa isa,
                             const struct conv_shape *s, const float *weights, float *packed);

/* Scratch of one worker in bytes, aligned to 64; SIZE_MAX: uncountable. */
size_t conv_data_gradient_scratch(const struct conv_data_gradient_method *m,
                                  const struct conv_shape *s);

/* Computes the same as conv_data_gradient_literal, by the method's build for `isa`. Only a direct
 * method reads the call's weights. */
void conv_data_gradient_by(const struct conv_data_gradient_method *m, enum isa isa,
                           const struct conv_data_gradient *call, const float *packed,
                           void *scratch);

#endif
