/* The oracle's map of a pooling. The last case is kept, because methods, builds and partitions are
 * compared with it one after the other. */
#ifndef MAXPOOL_TEST_RIGHT_MAP_H
#define MAXPOOL_TEST_RIGHT_MAP_H

#include "kernels/geometry.h"

/* Returns the outputs of all planes, valid until the next call. A NULL filter stands for the
 * maximum. Computes them again only if geometry, image or filter differ from the previous call's;
 * all three are compared by value. */
const double *right_map(const struct geometry *g, const float *image, const float *filter);

#endif
