/* What a clamp is to slopes that pass back through it: those of outputs that it held are 0. */
#ifndef MAXPOOL_LAYERS_CLAMP_GRADIENT_H
#define MAXPOOL_LAYERS_CLAMP_GRADIENT_H

#include "kernels/isa.h"

#include <stdint.h>

/* slopes[i] *= scale where least < outputs[i] < most; 0 elsewhere. */
struct gate {
    const float *outputs;
    float *slopes;
    int64_t count;
    float least, most, scale;
};

typedef void gate_function(const struct gate *g);
ISA_DECLARE(gate_function, layer_gate);

#endif
