/* Files that are written whole or not at all: first into a temporary file in the same folder, which
 * then takes the file's name. */
#ifndef MAXPOOL_WHOLE_FILE_H
#define MAXPOOL_WHOLE_FILE_H

#include "harness/base/failure.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

struct whole_file {
    FILE *stream;
    bool direct;              /* a device or a pipe, written in place */
    char path[PATH_MAX];      /* the file itself, where a link was named */
    char temporary[PATH_MAX]; /* "" where direct */
};

/* Opens the temporary file with the permissions that the file has or would get, and clears the
 * folder. `w` must stay where it is until it is closed or abandoned. Status 5. */
enum status whole_file_open(struct whole_file *w, const char *path, struct failure *f);

/* Flushes, checks, syncs and renames. Status 5, and the file that was there stays, where anything
 * failed. */
enum status whole_file_close(struct whole_file *w, struct failure *f);

/* Closes and removes what was begun; nothing where it was not opened or is closed. */
void whole_file_abandon(struct whole_file *w);

/* Removes from a folder the temporary files of writers that died. Their writers hold a lock on
 * them; one that nobody holds is removed ten minutes after it was last written to. */
void whole_file_clear(const char *folder);

/* Whether such a file could be begun; it stays as it is. Status 5 where not. */
enum status whole_file_check(const char *path, struct failure *f);

#endif
