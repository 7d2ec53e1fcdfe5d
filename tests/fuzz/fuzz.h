/* What the fuzz targets share: an image source that is read in two ways. */
#ifndef MAXPOOL_FUZZ_H
#define MAXPOOL_FUZZ_H

#include "harness/image/image.h"

/* The entry point that libFuzzer, or the replay of the corpus, calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads a source as a whole and row by row, and aborts if the two differ or a value is not finite.
 * Closes it. `status` is the result of opening it; only 0, 2 and 4 are valid. */
void fuzz_read(struct source *s, enum status status, const struct failure *f);

#endif
