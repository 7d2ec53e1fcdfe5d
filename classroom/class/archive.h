/* Archives in memory, read from and written to zip files by libzip, without encryption. They hold a
 * few small files. Nothing is unpacked to disk, except sources that are to be compiled. */
#ifndef MAXPOOL_CLASS_ARCHIVE_H
#define MAXPOOL_CLASS_ARCHIVE_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    ARCHIVE_FILES = 32,            /* per archive */
    ARCHIVE_NAME = 128,            /* bytes of a name, including the final 0 */
    ARCHIVE_FILE_BYTES = 16 << 20, /* of one file, unpacked */
    ARCHIVE_BYTES = 48 << 20       /* of all unpacked files together, and of the archive */
};

struct archive_file {
    char name[ARCHIVE_NAME];
    char *bytes; /* followed by a 0 */
    size_t count;
};

struct archive {
    struct archive_file files[ARCHIVE_FILES];
    size_t count;
};

/* True for a relative path of plain names: it does not begin with '/', has no empty, "." or ".."
 * part, no '\\', no ':' and no control character, and is shorter than ARCHIVE_NAME. */
bool archive_name_is_safe(const char *name);

/* True for what macOS and Windows add to an archive: "__MACOSX/...", ".DS_Store", "Thumbs.db". */
bool archive_name_is_added(const char *name);

/* Adds a copy. Status 4 if memory is lacking or a limit above is exceeded, 2 if the name is not
 * safe or already exists. */
enum status archive_add(struct archive *z, const char *name, const void *bytes, size_t count,
                        struct failure *f);

/* Returns NULL if there is no file of that name. */
const struct archive_file *archive_find(const struct archive *z, const char *name);

/* Reads all files, except what other systems add. Names are as UTF-8, with the backslashes of
 * Windows as slashes. Status 2 if the file is no zip archive, is cut off, damaged or encrypted,
 * contains a link, a device, a path that leads out of its folder or a name twice, or exceeds the
 * limits; 3 if this build lacks libzip; 4 if memory is lacking. After a failure *z is empty. */
enum status archive_read(struct archive *z, const char *path, struct failure *f);

/* Unpacks the files for which `wanted` is true of the name, of any number, into a folder that is
 * empty, with the folders that they are in. Status as of archive_read(), and 5. */
enum status archive_unpack(const char *path, const char *folder, bool (*wanted)(const char *name),
                           struct failure *f);

/* Status 3, 4, 5. */
enum status archive_write(const struct archive *z, const char *path, struct failure *f);

void archive_release(struct archive *z);

#endif
