/* The sizes of the machine's caches, for methods that choose their block sizes by them. */
#ifndef MAXPOOL_CACHES_H
#define MAXPOOL_CACHES_H

#include <stdint.h>

struct caches {
    int64_t bytes[4]; /* of one cache: level 1 data at index 1, then 2 and 3; 0: unknown */
};

#endif
