/* Empties the device's L2 cache between sending and computing. */
#ifndef MAXPOOL_CUDA_FLUSH_H
#define MAXPOOL_CUDA_FLUSH_H

#include "cuda/device.h"
#include "harness/base/text/language.h"

struct flush {
    void *array; /* on the device; NULL: the cache is not emptied */
    size_t bytes;
    cudaStream_t stream;
    int64_t processors; /* of the device */
};

/* Allocates an array of zeros that fills the whole cache; allocates nothing if the device has no
 * cache. Released by flush_close. */
enum status flush_open(struct flush *flush, const struct device *d, struct failure *f);
void flush_close(struct flush *flush);

/* Empties the cache by reading the array, and waits. */
enum status flush_cache(const struct flush *flush, struct failure *f);

/* What becomes of the cache, for readers. */
const char *flush_word(const struct flush *flush, const struct language *l);

#endif
