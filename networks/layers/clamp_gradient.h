/* Passes a gradient back through a clamp: it is 0 where the clamp limited the output. */
#ifndef MAXPOOL_LAYERS_CLAMP_GRADIENT_H
#define MAXPOOL_LAYERS_CLAMP_GRADIENT_H

#include "kernels/isa.h"

#include <stdint.h>

/* d_output[i] *= scale where least < outputs[i] < most; 0 otherwise. */
struct gate {
    const float *outputs;
    float *d_output;
    int64_t count;
    float least, most, scale;
};

typedef void gate_function(const struct gate *g);
ISA_DECLARE(gate_function, layer_gate);

#endif
