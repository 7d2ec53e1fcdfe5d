/* Reads a whole regular file into memory. */
#ifndef MAXPOOL_FILE_BYTES_H
#define MAXPOOL_FILE_BYTES_H

#include "harness/base/failure.h"

#include <stddef.h>

/* Returns the bytes, followed by a 0; the caller frees them. Status 2 if the file cannot be read or
 * has more than `most` bytes, 4 if memory is lacking; *bytes is then NULL. */
enum status file_bytes(const char *path, size_t most, char **bytes, size_t *count,
                       struct failure *f);

#endif
