/* Max pooling backward for 2 x 2 windows that do not overlap. */
#ifndef MAXPOOL_LAYERS_MAXPOOL_BACKWARD_2X2_H
#define MAXPOOL_LAYERS_MAXPOOL_BACKWARD_2X2_H

#include "kernels/isa.h"

#include <stdint.h>

/* Two rows of 2 * outputs elements, `cols` apart, below one row of windows: each window's output
 * gradient goes to its first maximum in row order, and 0 to its other elements. */
struct maxpool_pairs {
    const float *elements, *d_output;
    float *to; /* in the layout of `elements` */
    int64_t cols, outputs;
};

typedef void maxpool_pairs_function(const struct maxpool_pairs *p);
ISA_DECLARE(maxpool_pairs_function, maxpool_pairs);

#endif
