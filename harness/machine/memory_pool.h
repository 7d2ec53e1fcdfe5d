/* Many blocks that are needed equally long, such as the packed weights of a network's layers. They
 * share a few large allocations and thus huge pages: a block of its own would need 4 MiB for them
 * (harness/machine/memory.h), and layers seldom have as many weights. */
#ifndef MAXPOOL_MEMORY_POOL_H
#define MAXPOOL_MEMORY_POOL_H

#include "harness/base/failure.h"

#include <stddef.h>

struct pool_chunk;

/* An empty pool: {.chunk = N}. */
struct memory_pool {
    size_t chunk; /* bytes of an allocation, if no block needs more; about as many as all blocks
                     have together, since each allocation may leave a huge page partly empty */
    struct pool_chunk *newest;
};

/* Allocates at least 1 byte, aligned to 64, contents undefined; `what` names the block in the
 * message. Status 4 without memory. The block is valid until the pool is released. */
enum status memory_pool_take(struct memory_pool *pool, void **out, size_t bytes, const char *what,
                             struct failure *f);

/* Frees all blocks and leaves an empty pool. */
void memory_pool_release(struct memory_pool *pool);

#endif
