/* Converts images between two layouts: plane by plane, as files and libraries have them, and
 * interleaved, where row r of all channels is contiguous (operator_row.image_channels). Pure
 * functions. */
#ifndef MAXPOOL_INTERLEAVE_H
#define MAXPOOL_INTERLEAVE_H

#include "kernels/geometry.h"

/* `planes` is the shape of the layout plane by plane: batch * channels planes. */
void interleave(const float *from, struct image_shape planes, int64_t channels, float *to);
void deinterleave(const float *from, struct image_shape planes, int64_t channels, float *to);

#endif
