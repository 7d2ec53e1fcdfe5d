/* The rows of the image that `depthwise` looks up at a time, for the method and its scratch alike.
 */
#ifndef MAXPOOL_CONV_DEPTHWISE_ROWS_H
#define MAXPOOL_CONV_DEPTHWISE_ROWS_H

#include "kernels/conv/shape.h"
#include "kernels/order.h"

/* Output rows at a time, at most. */
enum { DEPTHWISE_TALLEST = 7 };

/* Rows of the image from the first to the last that `height` output rows read. */
static inline int64_t depthwise_rows(const struct conv_shape *s, int64_t height)
{
    return (height - 1) * s->stride + s->kernel;
}

static inline int64_t depthwise_most_rows(const struct conv_shape *s)
{
    return depthwise_rows(s, smaller(DEPTHWISE_TALLEST, s->out_rows));
}

#endif
