/* How `blocked` and `gram` cut their work, for the methods themselves and their scratch alike. */
#ifndef MAXPOOL_DISTANCES_PANELS_H
#define MAXPOOL_DISTANCES_PANELS_H

#include "kernels/min_max.h"

/* Rows of X packed at a time, multiples of the least, and columns of the widest micro-panel of Y.
 * Every panel has the micro-panels of Y packed anew, so that it should be high: as many points as
 * the second cache may hold of few dimensions, or the last one of many. */
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
