/* The pictures of a folder. */
#ifndef MAXPOOL_FOLDER_H
#define MAXPOOL_FOLDER_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stdint.h>

/* Each path is allocated by malloc. */
struct folder {
    char **paths;
    int64_t count;
};

/* True for a name that ends in .png, .jpg or .jpeg, in upper or lower case. */
bool folder_takes(const char *name);

bool folder_is_one(const char *path);

/* Lists the files of a folder that folder_takes(), in the byte order of their names; a path that is
 * not a folder is listed itself. Status 2 if the folder cannot be read or has none, 4 if memory is
 * short. Release in any case. */
enum status folder_list(struct folder *out, const char *path, struct failure *f);
void folder_release(struct folder *folder);

#endif
