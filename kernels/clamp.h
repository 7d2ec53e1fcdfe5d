/* Limits the lanes of a vector to a range. Included once per instruction set. */
#ifndef MAXPOOL_CLAMP_H
#define MAXPOOL_CLAMP_H

#include "kernels/vector.h"

/* min(max(v, least), most); minus_most is -most. The sets have only a maximum, hence
 * min(a, b) = -max(-a, -b). The value that is compared comes second, so that NaN stays NaN. */
VECTOR_INLINE vec vec_clamp(vec v, vec least, vec minus_most)
{
    const vec low = vec_max(least, v);
    return vec_subtract(vec_zero(), vec_max(minus_most, vec_subtract(vec_zero(), low)));
}

#endif
