/* Opens regular files only. A file that is read to its end must be regular: a FIFO blocks, and a
 * device may never end. */
#ifndef MAXPOOL_BASE_REGULAR_FILE_H
#define MAXPOOL_BASE_REGULAR_FILE_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Opens a regular file for reading and sets *size in bytes. Status 2 if there is none, or if it is
 * of another kind; the message then names the kind: "is a FIFO, not a regular file". */
enum status regular_open(const char *path, int *fd, int64_t *size, struct failure *f);

/* The same as a stream. Status 4 if there is no memory for one. */
enum status regular_stream(const char *path, FILE **stream, int64_t *size, struct failure *f);

/* True if both paths are names of one file. */
bool regular_same(const char *one, const char *other);

/* Returns the kind of a file with this mode (st_mode of struct stat): "a regular file", "a FIFO",
 * "a socket" ... */
const char *regular_kind(mode_t mode);

#endif
