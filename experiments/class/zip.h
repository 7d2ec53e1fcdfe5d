/* Archives in memory, read from and written as zip files (PKWARE, APPNOTE.TXT 6.3.10, sections
 * 4.3.7, 4.3.12 and 4.3.16; no encryption, no parts, no zip64). A few small files: nothing is ever
 * unpacked onto the disk. */
#ifndef MAXPOOL_CLASS_ZIP_H
#define MAXPOOL_CLASS_ZIP_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    ZIP_FILES = 32,            /* of an archive */
    ZIP_NAME = 128,            /* bytes of a name, the final 0 included */
    ZIP_FILE_BYTES = 16 << 20, /* of one file, unpacked */
    ZIP_BYTES = 48 << 20       /* of all of them, and of the archive */
};

struct zip_file {
    char name[ZIP_NAME];
    char *bytes; /* with a 0 behind the last one */
    size_t count;
};

struct zip {
    struct zip_file files[ZIP_FILES];
    size_t count;
};

/* True for a relative path of plain names: no '/' before the first, no "..", no '\\', no ':', no
 * control character. */
bool zip_name_is_safe(const char *name);

/* Adds a copy. Status 4 where memory or the limits above are exceeded, 2 for a name that is not
 * safe or there already. */
enum status zip_add(struct zip *z, const char *name, const void *bytes, size_t count,
                    struct failure *f);

/* NULL where there is none of that name. */
const struct zip_file *zip_find(const struct zip *z, const char *name);

/* Reads all of it. Status 2 for what is no zip file, is cut off or damaged, is encrypted, holds a
 * link, a device, a path that leads out of its folder or a name twice, or more than the limits;
 * 3 where this build lacks zlib; 4 where memory is short. Then *z is empty. */
enum status zip_read(struct zip *z, const char *path, struct failure *f);

/* Status 3, 4, 5. */
enum status zip_write(const struct zip *z, const char *path, struct failure *f);

void zip_release(struct zip *z);

#endif
