/* The distance of one pair by the definition, for methods that compute pair by pair. */
#ifndef MAXPOOL_DISTANCES_PAIR_H
#define MAXPOOL_DISTANCES_PAIR_H

#include <math.h>
#include <stdint.h>

static inline float pair_distance(const float *x, const float *y, int64_t dimensions)
{
    float sum = 0.0f;
    for (int64_t k = 0; k < dimensions; k++) {
        const float difference = x[k] - y[k];
        sum += difference * difference;
    }
    return sqrtf(sum);
}

#endif
