/* Copies windows that touch padding, with their padding, to a line of scratch. */
#ifndef MAXPOOL_ROW_PRODUCT_LINE_H
#define MAXPOOL_ROW_PRODUCT_LINE_H

#include "kernels/maxpool/row_product.h"
#include "kernels/min_max.h"

#include <string.h>

/* Copies pixels [left, left + count) of an image row; pixels outside the image become the pad
 * value. */
static inline void row_product_pixels(const struct row_product *p, const float *row, int64_t left,
                                      int64_t count, float *to)
{
    const struct geometry *g = p->call->geometry;
    const float pad = geometry_pad_value(g);
    const int64_t begin = smaller(larger(-left, 0), count);
    const int64_t inside = smaller(g->cols - left, count);
    const int64_t end = larger(inside, begin);
    for (int64_t i = 0; i < begin; i++)
        to[i] = pad;
    if (end > begin)
        memcpy(to + begin, row + left + begin, (size_t)(end - begin) * sizeof *to);
    for (int64_t i = end; i < count; i++)
        to[i] = pad;
}

/* Fills the line with the pixels of windows [col, col + windows) of an image row. `lanes` windows
 * of `used` pixels will be read; what the windows do not fill becomes 0. Windows with gaps between
 * them are moved together, so that the line is short for any stride. */
static inline void row_product_line(const struct row_product *p, const float *row, int64_t col,
                                    int64_t windows, int64_t lanes, int64_t used)
{
    const struct geometry *g = p->call->geometry;
    const int64_t left = col * g->stride - g->padding;
    const int64_t room = (lanes - 1) * p->line_stride + used;
    if (p->line_stride == g->stride) {
        const int64_t pixels = smaller(room, (windows - 1) * g->stride + used);
        row_product_pixels(p, row, left, pixels, p->line);
        memset(p->line + pixels, 0, (size_t)(room - pixels) * sizeof(float));
        return;
    }
    memset(p->line, 0, (size_t)room * sizeof(float));
    for (int64_t w = 0; w < windows; w++)
        row_product_pixels(p, row, left + w * g->stride, g->kernel, p->line + w * p->line_stride);
}

#endif
