#include "cuda/flush.h"
#include "cuda/kernels/launch.h"
#include "harness/base/text/messages.h"

/* Blocks per multiprocessor: enough to keep many bytes in flight. */
enum { BLOCKS_OF_PROCESSOR = 8, SIDE = 16 };

enum { ELEMENTS_OF_THREAD = 16 }; /* four loads of 16 bytes in flight */

/* Returns the blocks that fill the device, or fewer if the array has too few elements for
 * ELEMENTS_OF_THREAD per thread. */
static int64_t blocks_for(const struct flush *flush, int64_t elements)
{
    const int64_t filling = BLOCKS_OF_PROCESSOR * flush->processors;
    const int64_t most = (elements - 1) / (SIDE * SIDE * ELEMENTS_OF_THREAD) + 1;
    return filling < most ? filling : most;
}

/* Reading a whole array of twice the cache's size leaves nothing else in the cache. */
enum status flush_open(struct flush *flush, const struct device *d, struct failure *f)
{
    if (d->cache_bytes <= 0)
        return STATUS_OK;
    flush->bytes = 2 * (size_t)d->cache_bytes;
    flush->processors = d->processors;
    enum status status = CUDA(cudaStreamCreateWithFlags(&flush->stream, cudaStreamNonBlocking), f);
    if (status == STATUS_OK)
        status = CUDA(device_malloc(&flush->array, flush->bytes), f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemsetAsync(flush->array, 0, flush->bytes, flush->stream), f);
    return status;
}

void flush_close(struct flush *flush)
{
    cudaFree(flush->array);
    flush->array = NULL;
    device_stream_close(&flush->stream);
}

enum status flush_cache(const struct flush *flush, struct failure *f)
{
    if (!flush->array)
        return STATUS_OK;
    const struct flush_task task = {.elements = flush->array,
                                    .count = (int64_t)(flush->bytes / sizeof(float))};
    const enum status status =
        CUDA(launch_flush(&task, blocks_for(flush, task.count), SIDE, flush->stream), f);
    return status == STATUS_OK ? CUDA(cudaStreamSynchronize(flush->stream), f) : status;
}

const char *flush_word(const struct flush *flush, const struct language *l)
{
    return message(l, flush->array ? N_("flushed") : N_("left warm"));
}
