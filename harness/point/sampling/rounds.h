/* Rounds of whatever is measured interleaved (methods, kernels, commands, points): the order in
 * each round, and the rounds after which their times may end the measurement. */
#ifndef MAXPOOL_SAMPLING_ROUNDS_H
#define MAXPOOL_SAMPLING_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Shuffles the items: a pure function of seed and round (Fisher and Yates' shuffle as in Knuth, The
 * Art of Computer Programming, volume 2, algorithm P). */
void rounds_shuffle(uint64_t seed, uint64_t round, size_t *items, size_t count);

/* The same for the items 0 .. count - 1. */
void rounds_order(uint64_t seed, uint64_t round, size_t *order, size_t count);

/* Whether intervals are checked after so many rounds: 10, 20, 40 ... A check after every round
 * would stop at the first lucky one. */
bool rounds_check_is_due(size_t rounds);

#endif
