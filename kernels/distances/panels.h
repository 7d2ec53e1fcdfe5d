/* How `blocked` and `gram` cut their work, for the methods themselves and their scratch alike. */
#ifndef MAXPOOL_DISTANCES_PANELS_H
#define MAXPOOL_DISTANCES_PANELS_H

#include <stdint.h>

/* Rows of X packed at a time, and columns of the widest sliver of Y. */
enum { PANEL_ROWS = 240, PANEL_COLS = 32 };

/* gamma_(d + 2) of float32: n u / (1 - n u), u = 2^-24. */
double distances_cancellation(int64_t dimensions);

#endif
