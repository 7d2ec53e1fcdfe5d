/* The lots by which a dropout drops: a 16-bit number for each cell, four to a hash, a pure function
 * of the key and the cell. Read by C and by the kernels of a GPU. */
#ifndef MAXPOOL_LAYERS_DROPOUT_MASK_H
#define MAXPOOL_LAYERS_DROPOUT_MASK_H

#include "harness/base/digest.h"

#include <stdbool.h>

/* A rate is a multiple of 1 / LOTS. */
enum { LOTS_SHARED = 4, LOT_BITS = 16, LOTS = 1 << LOT_BITS };

/* The key of an image, by that of its layer and step; images are numbered through the batch. */
static inline ON_DEVICE_TOO uint64_t lots_key(uint64_t step_key, int64_t image)
{
    return digest_mix(step_key + (uint64_t)image);
}

/* Of a cell and those that share its hash. */
static inline ON_DEVICE_TOO uint64_t lots_of(uint64_t key, int64_t cell)
{
    return digest_mix(key + (uint64_t)(cell / LOTS_SHARED) * UINT64_C(0x9e3779b97f4a7c15));
}

/* Does the cell stay, where the lots below `dropped` are dropped? */
static inline ON_DEVICE_TOO bool lots_keep(uint64_t lots, int64_t cell, int64_t dropped)
{
    return (int64_t)(lots >> (cell % LOTS_SHARED * LOT_BITS) & (LOTS - 1)) >= dropped;
}

#endif
