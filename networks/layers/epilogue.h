/* The epilogue of outputs that were just computed: adds another tensor, then clamps. */
#ifndef MAXPOOL_LAYERS_EPILOGUE_H
#define MAXPOOL_LAYERS_EPILOGUE_H

#include "kernels/isa.h"

#include <stdbool.h>
#include <stdint.h>

struct epilogue {
    float *values;
    const float *added; /* NULL: nothing is added */
    int64_t count;
    bool clamped;
    float least, most; /* NaN stays NaN */
};

typedef void epilogue_function(const struct epilogue *e);
ISA_DECLARE(epilogue_function, layer_epilogue);

void epilogue_run(const struct epilogue *e, enum isa isa);

#endif
