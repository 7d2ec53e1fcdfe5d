/* Limits the lanes of a vector to a range. Included once per instruction set. */
#ifndef MAXPOOL_CLAMP_H
#define MAXPOOL_CLAMP_H

#include "kernels/vector.h"

/* min(max(v, least), most). The value that is compared comes second, so that NaN stays NaN. */
VECTOR_INLINE vec vec_clamp(vec v, vec least, vec most)
{
    return vec_min(most, vec_max(least, v));
}

#endif
