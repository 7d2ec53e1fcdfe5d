#include "harness/base/digest.h"

uint64_t digest_range(const float *values, int64_t first, int64_t count)
{
    uint64_t sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += digest_value(first + i, values[i]);
    return sum;
}
