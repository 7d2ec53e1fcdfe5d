/* The oracle's map of a pooling, which the last case keeps: methods, builds and cuttings are
 * compared with it one after the other. */
#ifndef MAXPOOL_TEST_RIGHT_MAP_H
#define MAXPOOL_TEST_RIGHT_MAP_H

#include "kernels/geometry.h"

/* Outputs of all planes, valid until the next call. A NULL filter stands for the maximum. Another
 * geometry, image or filter than that of the call before is computed; all three are compared by
 * value. */
const double *right_map(const struct geometry *g, const float *image, const float *filter);

#endif
