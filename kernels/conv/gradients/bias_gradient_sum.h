/* The sum of output gradients that is the gradient of a bias. Included once per instruction set. */
#ifndef MAXPOOL_CONV_BIAS_GRADIENT_SUM_H
#define MAXPOOL_CONV_BIAS_GRADIENT_SUM_H

#include "kernels/conv/windows.h"

/* Sums each lane by itself, then the lanes in order. */
WINDOWS_INLINE float run_sum(const float *values, int64_t count)
{
    vec sums = vec_zero();
    float lanes[LANES], sum = 0.0f;
    for (int64_t q = 0; q < count; q += LANES)
        sums = vec_add(sums, vec_load_part(values + q, smaller(LANES, count - q), vec_zero()));
    vec_store(lanes, sums);
    for (int i = 0; i < LANES; i++)
        sum += lanes[i];
    return sum;
}

#endif
