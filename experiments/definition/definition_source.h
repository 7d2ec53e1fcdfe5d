/* An INI file that is read but not yet interpreted: its sections and their entries. Only the
 * parsers of definitions and of machines (experiments/plan/multicore.c) include this. */
#ifndef MAXPOOL_STUDY_DEFINITION_SOURCE_H
#define MAXPOOL_STUDY_DEFINITION_SOURCE_H

#include "experiments/definition/definition.h"

#include <stdio.h>

enum { EVERY_SCALE = -1 };

/* A "key = value" line; `scale` follows from the prefix of the key. */
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

/* State of reading one file; inih calls back into it. */
struct definition_source {
    const char *path;
    FILE *file;
    int line;         /* of the last line given to inih */
    bool indented;    /* that line begins with a blank or tab */
    bool value_above; /* the section already has a value, which an indented line continues */
    int section_line; /* of the last section heading given to inih */
    struct section *sections;
    size_t section_count;
    struct entry *entries;
    size_t entry_count;
    struct failure *failure;
};

/* Reads in->path. Status 2, with file and line, for a line that is neither "key = value" nor
 * "[section]", and for a key given twice in one section and scale. The caller calls
 * definition_source_release() in any case. */
enum status definition_source_read(struct definition_source *in);
void definition_source_release(struct definition_source *in);

/* Returns status 4 and sets in->failure. */
enum status definition_out_of_memory(const struct definition_source *in);

#endif
