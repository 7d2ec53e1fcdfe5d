/* A result has the same bits whoever computes it: random operations by every method, the whole map
 * by one worker, and by all workers of a space. The sizes are drawn from pinned seeds; the values
 * are thirds, so that another order of a sum, or other terms, show. */
#ifndef MAXPOOL_TEST_SAME_BITS_H
#define MAXPOOL_TEST_SAME_BITS_H

#include "harness/space/space.h"

/* Returns how the work of a seed is shared: threads, distribution and part; the rest is 0. */
typedef struct job sharing_of_seed(const struct operator_row *kind, uint64_t seed);

/* Checks an instance that shares its launch with those of the other methods. */
typedef void opened_check(const struct operation *op, const struct instance *instance);

/* Computes random problems of every operator by all methods, on every worker however small the
 * work, and fails if a map differs from that of one worker. `check` looks at every instance; NULL:
 * none does. Every process calls this. With MAXPOOL_LONG in the environment there are many more
 * problems. */
void check_same_bits(const struct space *space, sharing_of_seed *sharing, opened_check *check);

#endif
