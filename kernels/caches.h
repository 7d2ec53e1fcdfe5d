/* What the caches of the machine hold, for methods that cut their work by them. */
#ifndef MAXPOOL_CACHES_H
#define MAXPOOL_CACHES_H

#include <stdint.h>

struct caches {
    int64_t bytes[4]; /* level 1 data .. 3 at index 1 .. 3, of one instance; 0: unknown */
};

#endif
