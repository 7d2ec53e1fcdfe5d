/* What the makers of some GPUs publish of them: limits and rates, which nothing here measured. */
#ifndef MAXPOOL_CARDS_H
#define MAXPOOL_CARDS_H

#include <stddef.h>
#include <stdint.h>

struct card {
    const char *name, *capability;
    int64_t processors; /* multiprocessors */
    /* Of a multiprocessor: */
    int64_t threads, blocks, registers, shared_bytes, schedulers;
    int64_t block_shared_bytes; /* that each block takes besides its own */
    double clock_mhz;           /* boost */
    double memory_gb_s;         /* 10^9 bytes per second, of its memory */
    const char *source;
    /* Peak rates in 10^12 operations per second, a multiply-add being two: float32 without tensor
     * cores, and bf16 by tensor cores, without sparsity and with sums in float32. Both 0: it has no
     * such cores, or its maker gives no rate. */
    double float32_tflops, bf16_tflops;
    const char *devices; /* the names that its driver reports, separated by "|"; NULL: unknown */
};

/* Returns the card of a name, in letters of any case and with or without spaces; NULL: there is
 * none. */
const struct card *card_find(const char *name);

/* Returns the card whose driver reports this name, which the record's column `device` has, with or
 * without the maker's name before it; NULL: none is known. */
const struct card *card_of_device(const char *device);

/* Returns a card by number, or NULL after the last. */
const struct card *card_at(size_t i);

#endif
