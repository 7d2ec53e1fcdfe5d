#include "cuda/flush.h"

/* Written in whole, an array twice the cache's size leaves nothing else in it. */
enum status flush_open(struct flush *flush, const struct device *d, struct failure *f)
{
    if (d->cache_bytes <= 0)
        return STATUS_OK;
    flush->bytes = 2 * (size_t)d->cache_bytes;
    return CUDA(cudaMalloc(&flush->array, flush->bytes), f);
}

void flush_close(struct flush *flush)
{
    cudaFree(flush->array);
    flush->array = NULL;
}

enum status flush_cache(const struct flush *flush, struct failure *f)
{
    if (!flush->array)
        return STATUS_OK;
    const enum status status = CUDA(cudaMemset(flush->array, 0, flush->bytes), f);
    return status == STATUS_OK ? CUDA(cudaDeviceSynchronize(), f) : status;
}
