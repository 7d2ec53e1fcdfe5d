/* Files that are written completely or not at all: first in the same folder, under a name that no
 * other process uses, then renamed. */
#ifndef MAXPOOL_OUTPUT_H
#define MAXPOOL_OUTPUT_H

#include "harness/base/whole_file.h"

struct output {
    FILE *stream;
    const char *path,
        *temporary; /* both from `file`; another program may write to the path `temporary` */
    struct whole_file file;
};

/* Status 5 if the file cannot be opened. */
enum status output_open(struct output *o, const char *path, struct failure *f);

/* The same for one of the many files that a report derives from others (whole_file.h). */
enum status output_open_derived(struct output *o, const char *path, struct failure *f);

/* Flushes, checks, syncs unless derived, and renames. Status 5, and no new file, if any of these
 * failed. */
enum status output_close(struct output *o, struct failure *f);

/* Closes and removes the unfinished file; does nothing if the output is not open. */
void output_abandon(struct output *o);

/* Writes a complete file with this text. Status 5. */
enum status output_write(const char *path, const char *text, size_t length, struct failure *f);

#endif
