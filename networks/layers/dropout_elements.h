/* The pass of a dropout over some elements. */
#ifndef MAXPOOL_LAYERS_DROPOUT_ELEMENTS_H
#define MAXPOOL_LAYERS_DROPOUT_ELEMENTS_H

#include "kernels/isa.h"

#include <stdint.h>

/* Elements [element, element + count) of an image, at `values`: 0 where the lot
 * (networks/layers/dropout_mask.h) is below `dropped`, scaled otherwise. */
struct dropout_call {
    uint64_t key; /* of the image */
    int64_t dropped;
    float scale;
    int64_t element, count;
    float *values;
};

typedef void dropout_function(const struct dropout_call *call);
ISA_DECLARE(dropout_function, dropout_elements);

#endif
