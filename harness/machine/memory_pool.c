#include "harness/machine/memory_pool.h"

#include "harness/machine/memory.h"

#include <stdlib.h>

enum { ALIGNMENT = 64 }; /* bytes */

/* One allocation. Its blocks follow this header. */
struct pool_chunk {
    struct pool_chunk *older;
    size_t size, used; /* bytes, with the header */
};

static size_t aligned(size_t bytes)
{
    return memory_multiply(memory_add(bytes, ALIGNMENT - 1) / ALIGNMENT, ALIGNMENT);
}

/* Allocates a chunk of the size that the pool asks for; if there is no memory for it, one that
 * holds the block alone. The rest of a chunk is not touched until a block needs it. */
static enum status add_chunk(struct memory_pool *pool, size_t block, const char *what,
                             struct failure *f)
{
    const size_t header = aligned(sizeof(struct pool_chunk)), needed = memory_add(header, block);
    size_t size = needed < pool->chunk ? pool->chunk : needed;
    struct pool_chunk *chunk = NULL;
    enum status status = memory_allocate((void **)&chunk, size, what, f);
    if (status != STATUS_OK && size > needed)
        status = memory_allocate((void **)&chunk, size = needed, what, f);
    if (status != STATUS_OK)
        return status;
    *chunk = (struct pool_chunk){.older = pool->newest, .size = size, .used = header};
    pool->newest = chunk;
    return STATUS_OK;
}

enum status memory_pool_take(struct memory_pool *pool, void **out, size_t bytes, const char *what,
                             struct failure *f)
{
    const size_t block = aligned(bytes > 0 ? bytes : 1);
    *out = NULL;
    if (!pool->newest || block > pool->newest->size - pool->newest->used) {
        const enum status status = add_chunk(pool, block, what, f);
        if (status != STATUS_OK)
            return status;
    }
    *out = (char *)pool->newest + pool->newest->used;
    pool->newest->used += block;
    return STATUS_OK;
}

void memory_pool_release(struct memory_pool *pool)
{
    for (struct pool_chunk *chunk = pool->newest, *older; chunk; chunk = older) {
        older = chunk->older;
        free(chunk);
    }
    pool->newest = NULL;
}
