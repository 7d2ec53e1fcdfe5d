/* Images whose rows of one number of all channels lie side by side (operator_row.image_channels),
 * and the same images plane by plane, as files and libraries have them. Pure functions. */
#ifndef MAXPOOL_INTERLEAVE_H
#define MAXPOOL_INTERLEAVE_H

#include "kernels/geometry.h"

/* `planes` is the shape plane by plane: batch x channels planes. */
void interleave(const float *from, struct image_shape planes, int64_t channels, float *to);
void deinterleave(const float *from, struct image_shape planes, int64_t channels, float *to);

#endif
