#include "cuda/host_memory.h"

#include "cuda/device.h"
#include "harness/machine/memory.h"

#include <stdlib.h>

enum status host_allocate(enum host_memory memory, float **out, size_t bytes, const char *what,
                          struct failure *f)
{
    if (memory == HOST_PAGEABLE)
        return memory_allocate((void **)out, bytes, what, f);
    const enum status status = memory_check(bytes, what, f);
    return status == STATUS_OK ? CUDA(cudaMallocHost((void **)out, bytes), f) : status;
}

void host_release(enum host_memory memory, float *array)
{
    if (memory == HOST_PAGEABLE)
        free(array);
    else if (array)
        cudaFreeHost(array);
}
