/* The lines of a text file with columns, as fields: what a spreadsheet or a person wrote. */
#ifndef MAXPOOL_TIMES_TABLE_H
#define MAXPOOL_TIMES_TABLE_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

enum { TIMES_FIELDS = 64 }; /* of a line; further ones are not looked at */

struct times_line {
    long number;   /* in the file, from 1 */
    bool left_out; /* while rows are removed */
    int count;
    char *fields[TIMES_FIELDS];
};

struct times_table {
    char *text;               /* owned; the fields point into it */
    struct times_line *lines; /* owned; those with something in a field and without # */
    size_t count;
    char separator, decimal; /* of its fields, and the decimal sign of its numbers */
    bool commented;          /* the first line is a header that stands behind # */
};

/* Reads a file in UTF-8 or Latin-1 whose fields are separated by commas, semicolons, tabs, blanks
 * or the lines of Markdown and Slurm, as its first line shows. Status 2, "FILE:LINE: ...", for
 * wrong quotes, for a header with a blank in brackets where blanks separate, and for UTF-16. */
enum status times_table_read(struct times_table *out, const char *path, struct failure *f);
void times_table_release(struct times_table *t);

/* Returns a field; an empty text if the line has none there. */
const char *times_table_field(const struct times_table *t, size_t line, int column);

#endif
