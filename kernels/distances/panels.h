/* The block sizes of `blocked` and `gram`, for the methods and for the size of their scratch. */
#ifndef MAXPOOL_DISTANCES_PANELS_H
#define MAXPOOL_DISTANCES_PANELS_H

#include "kernels/min_max.h"

/* The rows of X in a panel, which are packed at a time, are a multiple of PANEL_ROWS_LEAST.
 * PANEL_COLS is the widest micro-panel of Y. The micro-panels of Y are packed again for every
 * panel, so a panel should be tall: as many points as the second-level cache may hold if they have
 * few dimensions, or the last-level cache if they have many. */
enum {
    PANEL_ROWS_LEAST = 240,
    PANEL_ROWS_MOST = 4 * PANEL_ROWS_LEAST,
    PANEL_COLS = 32,
    PANEL_FLOATS = PANEL_ROWS_MOST * 512
};

static inline int64_t panel_rows(int64_t dimensions)
{
    const int64_t steps = PANEL_FLOATS / PANEL_ROWS_LEAST / larger(dimensions, 1);
    return PANEL_ROWS_LEAST * larger(1, smaller(steps, PANEL_ROWS_MOST / PANEL_ROWS_LEAST));
}

/* gamma_(d + 2) of float32: n u / (1 - n u), u = 2^-24. */
double distances_cancellation(int64_t dimensions);

#endif
