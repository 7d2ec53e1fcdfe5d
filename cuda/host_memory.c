#include "cuda/host_memory.h"

#include "cuda/device.h"
#include "harness/base/text/messages.h"
#include "harness/machine/memory.h"

#include <stdlib.h>

enum status host_allocate(enum host_memory memory, float **out, size_t bytes, const char *what,
                          struct failure *f)
{
    if (memory == HOST_PAGEABLE)
        return memory_allocate((void **)out, bytes, what, f);
    const enum status status = memory_check(bytes, what, f);
    return status == STATUS_OK ? CUDA(device_malloc_pinned((void **)out, bytes), f) : status;
}

void host_release(enum host_memory memory, float *array)
{
    if (memory == HOST_PAGEABLE)
        free(array);
    else if (array)
        cudaFreeHost(array);
}

enum status host_allocate_guarded(enum host_memory memory, struct guarded *g, size_t bytes,
                                  const char *what, struct failure *f)
{
    if (memory == HOST_PAGEABLE)
        return guarded_allocate(g, bytes, what, f);
    const size_t all = memory_add(bytes, 2 * (size_t)GUARD_BYTES);
    float *base = NULL;
    *g = (struct guarded){.bytes = bytes};
    const enum status status = host_allocate(memory, &base, all, what, f);
    g->base = base;
    if (status == STATUS_OK)
        g->block = (char *)g->base + GUARD_BYTES;
    return status;
}

void host_release_guarded(enum host_memory memory, struct guarded *g)
{
    if (memory == HOST_PAGEABLE)
        guarded_release(g);
    else
        host_release(memory, g->base);
    *g = (struct guarded){0};
}

const char *host_memory_word(enum host_memory memory, const struct language *l)
{
    return message(l, memory == HOST_PINNED ? N_("pinned") : N_("pageable"));
}
