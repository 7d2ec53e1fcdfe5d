/* Finds files that the suite sorts by topic: definitions and chart scripts are in a folder or one
 * of its subfolders, and are found by their names alone. */
#ifndef MAXPOOL_FOLDER_FILES_H
#define MAXPOOL_FOLDER_FILES_H

#include "experiments/common/lists.h"
#include "harness/base/failure.h"

/* Paths of all files whose names end in `suffix`, sorted by name; hidden files are left out. Status
 * 2 if the folder cannot be read. */
enum status folder_files(struct texts *paths, const char *folder, const char *suffix,
                         struct failure *f);

/* Returns the path of the file called `name`; the caller frees it. A file in the folder itself
 * comes before one in a subfolder. NULL if there is none. */
char *folder_file(const char *folder, const char *name);

/* Returns what follows the last '/' of a path. */
const char *file_name(const char *path);

#endif
