/* How `implicit` cuts its product, for the method itself, its packing and its scratch alike. */
#ifndef MAXPOOL_CONV_PANELS_H
#define MAXPOOL_CONV_PANELS_H

#include "kernels/conv/shape.h"
#include "kernels/order.h"

/* A panel of windows is at most PANEL_TERMS terms (or one channel's, where that is more) by
 * PANEL_PIXELS pixels: 480 KiB, which stay in the second-level cache while all filters pass over
 * them. Filters are packed in slivers of up to FILTER_SLIVER, the height of the widest tile. */
enum { PANEL_TERMS = 384, PANEL_PIXELS = 320, FILTER_SLIVER = 12 };

/* Channels of a group whose terms make one panel: near-equal parts of at most PANEL_TERMS. */
static inline int64_t panel_channels(const struct conv_shape *s)
{
    const int64_t depth = s->channels / s->groups;
    const int64_t most = larger(1, PANEL_TERMS / (s->kernel * s->kernel));
    const int64_t parts = (depth + most - 1) / most;
    return (depth + parts - 1) / parts;
}

/* Filters of a group, rounded up to whole slivers. */
static inline int64_t padded_filters(const struct conv_shape *s)
{
    const int64_t filters = s->filters / s->groups;
    return (filters + FILTER_SLIVER - 1) / FILTER_SLIVER * FILTER_SLIVER;
}

#endif
