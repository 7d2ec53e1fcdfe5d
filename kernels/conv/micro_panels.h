/* Filters as the register tile of kernels/conv/filter_lanes.h reads them, for packing and for the
 * size of scratch. */
#ifndef MAXPOOL_CONV_MICRO_PANELS_H
#define MAXPOOL_CONV_MICRO_PANELS_H

#include "kernels/conv/shape.h"

/* Filters of the widest micro-panel, floats of the widest vector. */
enum { WIDEST_MICRO_PANEL = 32, WIDEST_VECTOR = 16 };

/* Filters of a group, rounded up to whole micro-panels. */
static inline int64_t micro_panel_filters(const struct conv_shape *s)
{
    const int64_t filters = s->filters / s->groups;
    return (filters + WIDEST_MICRO_PANEL - 1) / WIDEST_MICRO_PANEL * WIDEST_MICRO_PANEL;
}

#endif
