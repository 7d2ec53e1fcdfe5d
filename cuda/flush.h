/* Emptying the device's L2 cache between sending and computing. */
#ifndef MAXPOOL_CUDA_FLUSH_H
#define MAXPOOL_CUDA_FLUSH_H

#include "cuda/device.h"

struct flush {
    void *array; /* on the device; NULL: the cache is left as it is */
    size_t bytes;
    cudaStream_t stream;
    int64_t processors; /* of the device */
};

/* An array of zeros that takes all of the cache, unless it has none. Released by flush_close. */
enum status flush_open(struct flush *flush, const struct device *d, struct failure *f);
void flush_close(struct flush *flush);

/* Empties the cache by reading the array, and waits. */
enum status flush_cache(const struct flush *flush, struct failure *f);

#endif
