/* The pictures of a folder. */
#ifndef MAXPOOL_FOLDER_H
#define MAXPOOL_FOLDER_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stdint.h>

/* Paths, malloc'ed each. */
struct folder {
    char **paths;
    int64_t count;
};

/* True for a name that ends in .png, .jpg or .jpeg, however these are written. */
bool folder_takes(const char *name);

bool folder_is_one(const char *path);

/* Paths of what the folder holds and folder_takes(), in the order of the names' bytes; of a path
 * that is no folder, itself. Status 2 where the folder cannot be read or has none, 4 where there is
 * no memory. Release either way. */
enum status folder_list(struct folder *out, const char *path, struct failure *f);
void folder_release(struct folder *folder);

#endif
