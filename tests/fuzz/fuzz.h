/* What a fuzz target shares with the others: an input as a file, and a source read in two ways. */
#ifndef MAXPOOL_FUZZ_H
#define MAXPOOL_FUZZ_H

#include "harness/image/image.h"

/* The entry that libFuzzer, or the replay of the corpus, calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads a source as a whole and row by row, and aborts where the two differ or a value is not
 * finite. Closes it. `status` is what opening gave: nothing but 0, 2 and 4 is right. */
void fuzz_read(struct source *s, enum status status, const struct failure *f);

#endif
