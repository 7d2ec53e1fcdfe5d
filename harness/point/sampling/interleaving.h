/* The random order of interleaved methods. */
#ifndef MAXPOOL_SAMPLING_INTERLEAVING_H
#define MAXPOOL_SAMPLING_INTERLEAVING_H

#include <stddef.h>
#include <stdint.h>

/* Shuffles the items: a pure function of seed and turn (Fisher and Yates' shuffle as in Knuth, The
 * Art of Computer Programming, volume 2, algorithm P). */
void interleaving_order(uint64_t seed, uint64_t turn, size_t *items, size_t count);

#endif
