/* How `gram` cuts its products, for the method itself and its scratch alike. */
#ifndef MAXPOOL_DISTANCES_PANELS_H
#define MAXPOOL_DISTANCES_PANELS_H

#include <stdint.h>

/* Rows of X packed at a time, and columns of the widest sliver of Y. */
enum { GRAM_ROWS = 240, GRAM_COLS = 32 };

/* gamma_(d + 2) of float32: n u / (1 - n u), u = 2^-24. */
double distances_cancellation(int64_t dimensions);

#endif
