/* Files for the tests of images, in the test's own folder (tests/support/command.h). */
#ifndef MAXPOOL_TEST_FILES_H
#define MAXPOOL_TEST_FILES_H

#include "harness/image/image.h"
#include "tests/support/command.h"

/* Path of a file in the folder; valid until the eighth call after this one. */
const char *files_path(const char *name);

/* Writes bytes to a file in the folder and returns its path. */
const char *files_write(const char *name, const void *bytes, size_t size);

/* Returns the whole file, malloc'ed, followed by a 0. */
unsigned char *files_read(const char *path, size_t *size);

/* Number of entries of the folder. */
int files_count(void);

/* A .npy file of format version `version` around a header text and raw bytes. */
const char *files_npy(const char *name, int version, const char *header, const void *bytes,
                      size_t size);

/* True if this build lacks the library for files with the ending of `path`. In that case, checks
 * that opening one ends with status 3 and says why. */
bool files_lacking(const char *path);

/* CRC of PNG chunks (ISO 3309). */
uint32_t files_crc(const unsigned char *bytes, size_t size);

/* Opens a file and reads all of it, row by row. Leaves the failure, or none, in *f. */
enum status files_try(const char *path, struct failure *f);

#endif
