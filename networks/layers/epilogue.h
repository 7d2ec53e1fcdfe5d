/* What is done to outputs that were just computed: another tensor added, then a clamp. */
#ifndef MAXPOOL_LAYERS_EPILOGUE_H
#define MAXPOOL_LAYERS_EPILOGUE_H

#include "kernels/isa.h"

#include <stdbool.h>
#include <stdint.h>

struct epilogue {
    float *values;
    const float *added; /* NULL: nothing is */
    int64_t count;
    bool clamped;
    float least, most; /* NaN stays NaN */
};

typedef void epilogue_function(const struct epilogue *e);
ISA_DECLARE(epilogue_function, layer_epilogue);

void epilogue_run(const struct epilogue *e, enum isa isa);

#endif
