#include "kernels/interleave.h"

#include <string.h>

/* Number of the line that holds row `row` of plane `plane` in the interleaved layout, whose lines
 * are ordered by image, then by row, then by channel. */
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
