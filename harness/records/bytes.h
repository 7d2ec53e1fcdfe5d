/* Reads the bytes of a file that is plain or packed by gzip: if there is no PATH, PATH.gz is read
 * instead. */
#ifndef MAXPOOL_BYTES_H
#define MAXPOOL_BYTES_H

#include "harness/base/failure.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct bytes {
    char path[PATH_MAX]; /* of the opened file: PATH or PATH.gz */
    int file;
    void *unpacking;   /* NULL: the file is not packed */
    const char *error; /* NULL: no error so far */
};

/* Opens PATH, or PATH.gz instead; a PATH that ends in .gz is unpacked too. Regular files only.
 * Status 2 if there is none, if PATH and PATH.gz both exist (nothing shows which of them counts),
 * or if it cannot be read; 3 if it is packed and this build lacks zlib. */
enum status bytes_open(struct bytes *b, const char *path, struct failure *f);
void bytes_close(struct bytes *b);

/* As read(2); -1 with b->error. In a packed file that is cut off or damaged, the error comes where
 * the damage is met: the rest is lost, and what was read before is not known to be right. */
ssize_t bytes_read(struct bytes *b, char *to, size_t size);

/* True if PATH or PATH.gz exists. */
bool bytes_are_there(const char *path);

/* True if PATH.gz exists; its name goes to `packed`. */
bool bytes_are_packed(const char *path, char packed[PATH_MAX]);

#endif
