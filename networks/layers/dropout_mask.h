/* The random bits of a dropout mask: a 16-bit number for each element, four per hash, a pure
 * function of the key and the element. C code and GPU kernels share it. */
#ifndef MAXPOOL_LAYERS_DROPOUT_MASK_H
#define MAXPOOL_LAYERS_DROPOUT_MASK_H

#include "harness/base/digest.h"

#include <stdbool.h>

/* A rate is a multiple of 1 / BIT_VALUES. */
enum { BITS_SHARED = 4, MASK_BITS = 16, BIT_VALUES = 1 << MASK_BITS };

/* The key of an image, from that of its layer and step. `image` is the index in the whole batch. */
static inline ON_DEVICE_TOO uint64_t mask_key(uint64_t step_key, int64_t image)
{
    return digest_mix(step_key + (uint64_t)image);
}

/* The mask bits of an element and of those that share its hash. */
static inline ON_DEVICE_TOO uint64_t mask_bits(uint64_t key, int64_t element)
{
    return digest_mix(key + (uint64_t)(element / BITS_SHARED) * UINT64_C(0x9e3779b97f4a7c15));
}

/* True if the element is kept; numbers below `dropped` drop it. */
static inline ON_DEVICE_TOO bool mask_keeps(uint64_t bits, int64_t element, int64_t dropped)
{
    return (int64_t)(bits >> (element % BITS_SHARED * MASK_BITS) & (BIT_VALUES - 1)) >= dropped;
}

#endif
