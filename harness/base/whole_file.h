/* Files that are written completely or not at all: first into a temporary file in the same folder,
 * which is then renamed to the file's name. */
#ifndef MAXPOOL_WHOLE_FILE_H
#define MAXPOOL_WHOLE_FILE_H

#include "harness/base/failure.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

struct whole_file {
    FILE *stream;
    bool direct;              /* a device or a pipe, written in place */
    bool derived;             /* from other files, which stay: not synced. If the machine crashes
                                 while it is on its way to the disk, it is made again */
    char path[PATH_MAX];      /* the file itself, if a link was named */
    char temporary[PATH_MAX]; /* "" where direct */
};

/* Opens the temporary file with the permissions that the file has or would get, and clears the
 * folder. `w` must stay at its address until it is closed or abandoned. Status 5. */
enum status whole_file_open(struct whole_file *w, const char *path, struct failure *f);

/* Flushes, checks, syncs unless it is derived, and renames. If anything fails: status 5, and the
 * previous file stays. */
enum status whole_file_close(struct whole_file *w, struct failure *f);

/* Closes and removes the temporary file; does nothing if it was not opened or is closed. */
void whole_file_abandon(struct whole_file *w);

/* Checks that the file could be written, without changing it. Status 5 if not. */
enum status whole_file_check(const char *path, struct failure *f);

#endif
