/* A vector's lanes held between two limits. Included once per instruction set. */
#ifndef MAXPOOL_CLAMP_H
#define MAXPOOL_CLAMP_H

#include "kernels/vector.h"

/* min(max(v, least), most), as there is but a maximum: min(a, b) = -max(-a, -b). What is compared
 * stands second, so that NaN stays NaN. */
VECTOR_INLINE vec vec_clamp(vec v, vec least, vec minus_most)
{
    const vec low = vec_max(least, v);
    return vec_subtract(vec_zero(), vec_max(minus_most, vec_subtract(vec_zero(), low)));
}

#endif
