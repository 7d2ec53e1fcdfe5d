/* Folders for files that a command needs while it runs. */
#ifndef MAXPOOL_TEMPORARY_H
#define MAXPOOL_TEMPORARY_H

#include "harness/base/failure.h"

#include <stddef.h>

/* Makes an empty folder named NAME- and six characters, in the folder that TMPDIR names, or in /tmp
 * if TMPDIR is empty or too long for `size` bytes. Status 5 and an empty path if the folder cannot
 * be made. */
enum status temporary_folder(char *path, size_t size, const char *name, struct failure *f);

#endif
