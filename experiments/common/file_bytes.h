/* A whole regular file in memory. */
#ifndef MAXPOOL_FILE_BYTES_H
#define MAXPOOL_FILE_BYTES_H

#include "harness/base/failure.h"

#include <stddef.h>

/* Returns its bytes, behind which there is a 0; the caller frees them. Status 2 where it cannot be
 * read or has more than `most` bytes, 4 where memory is short; then *bytes is NULL. */
enum status file_bytes(const char *path, size_t most, char **bytes, size_t *count,
                       struct failure *f);

#endif
