/* Filters as the register tile of kernels/conv/filter_lanes.h reads them, for packing and scratch
 * alike.
 */
#ifndef MAXPOOL_CONV_MICRO_PANELS_H
#define MAXPOOL_CONV_MICRO_PANELS_H

#include "kernels/conv/shape.h"

/* Filters of the widest sliver, floats of the widest vector. */
enum { WIDEST_SLIVER = 32, WIDEST_VECTOR = 16 };

/* Filters of a group, rounded up to whole slivers. */
static inline int64_t sliver_filters(const struct conv_shape *s)
{
    const int64_t filters = s->filters / s->groups;
    return (filters + WIDEST_SLIVER - 1) / WIDEST_SLIVER * WIDEST_SLIVER;
}

#endif
