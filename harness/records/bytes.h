/* The bytes of a file for reading, as they are or packed by gzip: where there is no PATH, PATH.gz
 * stands for it. */
#ifndef MAXPOOL_BYTES_H
#define MAXPOOL_BYTES_H

#include "harness/base/failure.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct bytes {
    char path[PATH_MAX]; /* of what was opened: PATH or PATH.gz */
    int file;
    void *unpacking;   /* NULL: the file is not packed */
    const char *error; /* NULL: none so far */
};

/* Opens PATH, or PATH.gz in its place; a PATH that ends in .gz is unpacked too. Regular files only.
 * Status 2 where there is none, where PATH and PATH.gz are both there (nothing shows which of them
 * counts), or where it cannot be read; 3 where it is packed and this build lacks zlib. */
enum status bytes_open(struct bytes *b, const char *path, struct failure *f);
void bytes_close(struct bytes *b);

/* As read(2); -1 with b->error. A packed file that is cut off or damaged is an error where that is
 * met: what follows is lost, and what came before is not known to be right. */
ssize_t bytes_read(struct bytes *b, char *to, size_t size);

/* Goes on at this byte of what is unpacked; sets b->error where that fails. */
void bytes_seek(struct bytes *b, int64_t offset);

/* True where PATH or PATH.gz is there. */
bool bytes_are_there(const char *path);

/* True where PATH.gz is there; its name in `packed`. */
bool bytes_are_packed(const char *path, char packed[PATH_MAX]);

#endif
