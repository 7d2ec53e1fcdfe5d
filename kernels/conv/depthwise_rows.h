/* The rows that `depthwise` works on at a time; shared by the method and the size of its
 * scratch. */
#ifndef MAXPOOL_CONV_DEPTHWISE_ROWS_H
#define MAXPOOL_CONV_DEPTHWISE_ROWS_H

#include "kernels/conv/shape.h"
#include "kernels/min_max.h"

#include <stdbool.h>

/* The most output rows at a time; and the outputs of a row below which the rows of all channels are
 * joined into one, if windows step through the joined row as through one channel's. */
enum { DEPTHWISE_TALLEST = 7, DEPTHWISE_SHORT = 128, DEPTHWISE_VECTOR = 16 };

/* Image rows from the first to the last that `height` output rows read. */
static inline int64_t depthwise_rows(const struct conv_shape *s, int64_t height)
{
    return (height - 1) * s->stride + s->kernel;
}

static inline int64_t depthwise_most_rows(const struct conv_shape *s)
{
    return depthwise_rows(s, smaller(DEPTHWISE_TALLEST, s->out_rows));
}

static inline bool depthwise_joins(const struct conv_shape *s)
{
    return s->cols == s->stride * s->out_cols && s->out_cols < DEPTHWISE_SHORT;
}

/* Outputs of one row of all channels, and space for a whole vector after them. */
static inline int64_t depthwise_line(const struct conv_shape *s)
{
    return s->channels * s->out_cols + DEPTHWISE_VECTOR;
}

#endif
