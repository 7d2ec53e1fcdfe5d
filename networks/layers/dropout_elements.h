/* Applies a dropout to a range of elements. */
#ifndef MAXPOOL_LAYERS_DROPOUT_ELEMENTS_H
#define MAXPOOL_LAYERS_DROPOUT_ELEMENTS_H

#include "kernels/isa.h"

#include <stdint.h>

/* Elements [element, element + count) of an image, at `values`: set to 0 where the mask bits
 * (networks/layers/dropout_mask.h) are below `dropped`, scaled otherwise. */
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
