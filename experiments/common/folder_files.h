/* Files that the suite keeps sorted by topic: definitions and chart scripts lie in a folder, or in
 * a folder in it, and are found by their names alone. */
#ifndef MAXPOOL_FOLDER_FILES_H
#define MAXPOOL_FOLDER_FILES_H

#include "experiments/common/lists.h"
#include "harness/base/failure.h"

/* Paths of all files whose names end in `suffix`, sorted by name; hidden ones are left out. Status
 * 2 where the folder cannot be read. */
enum status folder_files(struct texts *paths, const char *folder, const char *suffix,
                         struct failure *f);

/* Path of the file called `name`, which the caller frees; one in the folder itself comes before one
 * further in. NULL where there is none. */
char *folder_file(const char *folder, const char *name);

/* What follows the last '/' of a path. */
const char *file_name(const char *path);

#endif
