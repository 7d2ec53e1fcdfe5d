#include "harness/machine/memory_pool.h"

#include "harness/machine/memory.h"

#include <stdlib.h>

enum { /* bytes */
       ALIGNMENT = 64,
       SMALL_CHUNK = 64 << 10,
       LARGE_CHUNK = 32 << 20,
       WORTH_HUGE_PAGES = 128 << 10
};

/* One allocation. Its blocks follow this header. */
struct pool_chunk {
    struct pool_chunk *older;
    size_t size, used; /* bytes, with the header */
};

static size_t aligned(size_t bytes)
{
    return memory_multiply(memory_add(bytes, ALIGNMENT - 1) / ALIGNMENT, ALIGNMENT);
}

static size_t with_header(size_t block)
{
    return memory_add(aligned(sizeof(struct pool_chunk)), block);
}

/* A small pool has small chunks. From WORTH_HUGE_PAGES on, a chunk is large enough for most
 * networks, since each chunk may leave a huge page partly empty. The rest of a chunk is never
 * touched, so it is address space alone. */
static size_t chunk_size(const struct memory_pool *pool, size_t block)
{
    const size_t least = pool->bytes + block >= WORTH_HUGE_PAGES ? LARGE_CHUNK : SMALL_CHUNK;
    const size_t needed = with_header(block);
    return needed < least ? least : needed;
}

/* With little memory left the chunk holds the block alone. */
static enum status add_chunk(struct memory_pool *pool, size_t block, const char *what,
                             struct failure *f)
{
    size_t size = chunk_size(pool, block);
    struct pool_chunk *chunk = NULL;
    if (memory_available() < size)
        size = with_header(block);
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
