/* Files that are read to their end are regular ones: a FIFO would be waited for, and a device may
 * never end. */
#ifndef MAXPOOL_BASE_REGULAR_FILE_H
#define MAXPOOL_BASE_REGULAR_FILE_H

#include "harness/base/failure.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Opens a regular file for reading; *size in bytes. Status 2 where there is none, or where it is
 * something else, and then the message says what: "is a FIFO, not a regular file". */
enum status regular_open(const char *path, int *fd, int64_t *size, struct failure *f);

/* The same as a stream. Status 4 where there is no memory for one. */
enum status regular_stream(const char *path, FILE **stream, int64_t *size, struct failure *f);

/* What a file of this mode (struct stat's st_mode) is: "a regular file", "a FIFO", "a socket" ...
 */
const char *regular_kind(mode_t mode);

#endif
