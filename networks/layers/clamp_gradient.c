#include "networks/layers/clamp_gradient.h"

void ISA_FUNCTION(layer_gate)(const struct gate *g)
{
    const float *outputs = g->outputs;
    float *d_output = g->d_output;
    const float least = g->least, most = g->most, scale = g->scale;
    for (int64_t i = 0; i < g->count; i++) {
        const float kept = d_output[i] * scale, y = outputs[i];
        d_output[i] = ((y > least) & (y < most)) ? kept : 0.0f;
    }
}
