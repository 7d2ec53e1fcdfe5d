/* An INI file read but not yet understood: sections, and the entries of each. Only the parser of
 * definitions includes this. */
#ifndef MAXPOOL_STUDY_DEFINITION_SOURCE_H
#define MAXPOOL_STUDY_DEFINITION_SOURCE_H

#include "experiments/definition/definition.h"

#include <stdio.h>

enum { EVERY_SCALE = -1 };

/* A "key = value" line; `scale` is what its prefix says. */
struct entry {
    size_t section;
    int scale;
    int line;
    char *key, *value;
};

struct section {
    char *name;
    int line;
};

/* The reading of one file; inih calls back into it. */
struct definition_source {
    const char *path;
    FILE *file;
    int line;         /* of the last line handed to inih */
    bool indented;    /* that line begins with a blank */
    bool value_above; /* since the section began: an indented line goes on with it */
    int section_line; /* of the last section heading handed to inih */
    struct section *sections;
    size_t section_count;
    struct entry *entries;
    size_t entry_count;
    struct failure *failure;
};

/* Reads in->path. Status 2, with file and line, for what is no "key = value" or "[section]", and
 * for a key given twice in one section and scale; definition_source_release in any case. */
enum status definition_source_read(struct definition_source *in);
void definition_source_release(struct definition_source *in);

/* Status 4, written to in->failure. */
enum status definition_out_of_memory(const struct definition_source *in);

#endif
