/* Division by numbers that are the same for all threads of a launch. A GPU has no instruction for
 * division: a quotient of 64 bits is a call of about 70 instructions, one of 32 bits about 20. Here
 * it is a product and a shift. Source: T. Granlund, P. L. Montgomery, "Division by Invariant
 * Integers using Multiplication" (1994), section 4, for numbers below 2^31: with 2^(s - 1) < d <=
 * 2^s and m = floor(2^(31 + s) / d) + 1, n / d = floor(n m / 2^(31 + s)). C and the kernels read
 * this header. */
#ifndef MAXPOOL_CUDA_DIVISION_H
#define MAXPOOL_CUDA_DIVISION_H

#include "harness/base/on_device.h"

#include <stdint.h>

struct divisor {
    int64_t by;
    uint32_t multiplier, shift; /* for quotient_narrow; 0 unless 1 <= by < 2^31 */
};

/* Returns n / by.by for 0 <= n < 2^31, and an arbitrary number for other n. */
static inline ON_DEVICE_TOO int32_t quotient_narrow(int32_t n, struct divisor by)
{
    const uint32_t high = (uint32_t)((uint64_t)(2 * (uint32_t)n) * by.multiplier >> 32);
    return (int32_t)(high >> by.shift);
}

#endif
