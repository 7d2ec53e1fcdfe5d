/* The hash of a map: a sum over all values, each with its position. Partial sums can be added in
 * any order, so that each rank and thread hashes its own part. */
#ifndef MAXPOOL_DIGEST_H
#define MAXPOOL_DIGEST_H

#include "harness/base/on_device.h"

#include <stdint.h>
#include <string.h>

/* A 64-bit finaliser that spreads every input bit over the result (Stafford's variant 13 of the
 * MurmurHash3 finaliser, as in splitmix64). */
static inline ON_DEVICE_TOO uint64_t digest_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Hash of one value at a linear index; -0 counts as 0. */
static inline uint64_t digest_value(int64_t index, float value)
{
    uint32_t bits;
    value += 0.0f; /* -0 + 0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return digest_mix((uint64_t)index * UINT64_C(0x9e3779b97f4a7c15) + bits);
}

/* The hash of a text, continued from `sum`: FNV-1a, 64 bits. Source: Fowler, Noll & Vo,
 * draft-eastlake-fnv. */
#define DIGEST_TEXT UINT64_C(0xcbf29ce484222325)
static inline uint64_t digest_text(uint64_t sum, const char *text)
{
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return sum;
}

/* Sum of digest_value over count values, the first at linear index `first`, modulo 2^64. */
uint64_t digest_range(const float *values, int64_t first, int64_t count);

#endif
