/* Files written whole or not at all: beside their place first, under a name that no other process
 * has, then renamed. */
#ifndef MAXPOOL_OUTPUT_H
#define MAXPOOL_OUTPUT_H

#include "harness/base/whole_file.h"

struct output {
    FILE *stream;
    const char *path,
        *temporary; /* of `file`; another program may write the temporary by its name */
    struct whole_file file;
};

/* Status 5 where it cannot be opened. */
enum status output_open(struct output *o, const char *path, struct failure *f);

/* Flushes, checks, syncs and renames; status 5, and no file, where anything failed. */
enum status output_close(struct output *o, struct failure *f);

/* Gives up: closes and removes what was begun; nothing where it was not opened or is closed. */
void output_abandon(struct output *o);

/* All at once: a file of this text. Status 5. */
enum status output_write(const char *path, const char *text, size_t length, struct failure *f);

#endif
