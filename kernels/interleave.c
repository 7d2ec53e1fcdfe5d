#include "kernels/interleave.h"

#include <string.h>

/* Where a row begins in the interleaved image, in rows: images one after the other, each row by
 * row, and within those channel by channel. */
static int64_t line_of(struct image_shape planes, int64_t channels, int64_t plane, int64_t row)
{
    return (plane / channels * planes.rows + row) * channels + plane % channels;
}

void interleave(const float *from, struct image_shape planes, int64_t channels, float *to)
{
    const size_t bytes = (size_t)planes.cols * sizeof *to;
    for (int64_t plane = 0; plane < planes.planes; plane++)
        for (int64_t row = 0; row < planes.rows; row++, from += planes.cols)
            memcpy(to + line_of(planes, channels, plane, row) * planes.cols, from, bytes);
}

void deinterleave(const float *from, struct image_shape planes, int64_t channels, float *to)
{
    const size_t bytes = (size_t)planes.cols * sizeof *to;
    for (int64_t plane = 0; plane < planes.planes; plane++)
        for (int64_t row = 0; row < planes.rows; row++, to += planes.cols)
            memcpy(to, from + line_of(planes, channels, plane, row) * planes.cols, bytes);
}
