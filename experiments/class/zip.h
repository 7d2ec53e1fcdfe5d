/* Archives in memory, read from and written to zip files (PKWARE, APPNOTE.TXT 6.3.10, sections
 * 4.3.7, 4.3.12 and 4.3.16; no encryption, no split archives, no zip64). They hold a few small
 * files: nothing is ever unpacked to disk. */
#ifndef MAXPOOL_CLASS_ZIP_H
#define MAXPOOL_CLASS_ZIP_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    ZIP_FILES = 32,            /* per archive */
    ZIP_NAME = 128,            /* bytes of a name, including the final 0 */
    ZIP_FILE_BYTES = 16 << 20, /* of one file, unpacked */
    ZIP_BYTES = 48 << 20       /* of all unpacked files together, and of the archive */
};

struct zip_file {
    char name[ZIP_NAME];
    char *bytes; /* followed by a 0 */
    size_t count;
};

struct zip {
    struct zip_file files[ZIP_FILES];
    size_t count;
};

/* True for a relative path of plain names: it does not begin with '/', has no empty, "." or ".."
 * part, no '\\', no ':' and no control character, and is shorter than ZIP_NAME. */
bool zip_name_is_safe(const char *name);

/* Adds a copy. Status 4 if memory is lacking or a limit above is exceeded, 2 if the name is not
 * safe or already exists. */
enum status zip_add(struct zip *z, const char *name, const void *bytes, size_t count,
                    struct failure *f);

/* Returns NULL if there is no file of that name. */
const struct zip_file *zip_find(const struct zip *z, const char *name);

/* Reads all files. Status 2 if the file is no zip archive, is cut off, damaged or encrypted,
 * contains a link, a device, a path that leads out of its folder or a name twice, or exceeds the
 * limits; 3 if this build lacks zlib; 4 if memory is lacking. After a failure *z is empty. */
enum status zip_read(struct zip *z, const char *path, struct failure *f);

/* Status 3, 4, 5. */
enum status zip_write(const struct zip *z, const char *path, struct failure *f);

void zip_release(struct zip *z);

#endif
