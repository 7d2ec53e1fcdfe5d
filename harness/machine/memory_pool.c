#include "harness/machine/memory_pool.h"

#include "harness/machine/memory.h"

#include <stdlib.h>

enum { ALIGNMENT = 64, LEAST_CHUNK = 64 << 10, WORTH_HUGE_PAGES = 128 << 10 }; /* bytes */

/* One allocation. Its blocks follow this header. */
struct pool_chunk {
    struct pool_chunk *older;
    size_t size, used; /* bytes, with the header */
};

static size_t aligned(size_t bytes)
{
    return memory_multiply(memory_add(bytes, ALIGNMENT - 1) / ALIGNMENT, ALIGNMENT);
}

/* Each chunk is as large as all blocks before it, so there are few chunks; a small network has
 * small ones. From WORTH_HUGE_PAGES on, chunks are large enough for huge pages. What no block uses
 * of a chunk is never touched, so at most one huge page of it is empty memory. */
static size_t chunk_size(const struct memory_pool *pool, size_t block)
{
    const size_t header = aligned(sizeof(struct pool_chunk));
    size_t size = memory_add(header, block);
    const size_t least = pool->bytes + block >= WORTH_HUGE_PAGES ? MEMORY_LARGE : LEAST_CHUNK;
    if (size < pool->bytes)
        size = pool->bytes;
    return size < least ? least : size;
}

static enum status add_chunk(struct memory_pool *pool, size_t block, const char *what,
                             struct failure *f)
{
    const size_t size = chunk_size(pool, block);
    struct pool_chunk *chunk = NULL;
    const enum status status = memory_allocate((void **)&chunk, size, what, f);
    if (status != STATUS_OK)
        return status;
    *chunk = (struct pool_chunk){
        .older = pool->newest, .size = size, .used = aligned(sizeof(struct pool_chunk))};
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
    pool->bytes += block;
    return STATUS_OK;
}

void memory_pool_release(struct memory_pool *pool)
{
    for (struct pool_chunk *chunk = pool->newest, *older; chunk; chunk = older) {
        older = chunk->older;
        free(chunk);
    }
    *pool = (struct memory_pool){0};
}
