/* Limits the lanes of a vector to a range. Included once per instruction set. */
#ifndef MAXPOOL_CLAMP_H
#define MAXPOOL_CLAMP_H

#include "kernels/vector.h"

/* min(max(v, least), most). The value that is compared comes second, so that NaN stays NaN. */
VECTOR_INLINE vec vec_clamp(vec v, vec least, vec most)
{
    return vec_min(most, vec_max(least, v));
}

#if VECTOR_EIGHT
VECTOR_INLINE vec8 vec8_clamp(vec8 v, vec8 least, vec8 most)
{
    return vec8_min(most, vec8_max(least, v));
}
#endif

#endif
