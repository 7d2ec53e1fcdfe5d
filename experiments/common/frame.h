/* A CSV file with arbitrary columns in memory, as texts: a header line, then rows with as many
 * fields. Files that a spreadsheet wrote are read as harness/records/table.h says. */
#ifndef MAXPOOL_FRAME_H
#define MAXPOOL_FRAME_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct frame {
    char *text;    /* text of the whole file; the fields point into it */
    char **fields; /* fields of the header, then of the rows */
    size_t columns, rows;
    size_t left_out;       /* rows with another number of fields, bad quotes, or nothing in them */
    size_t first_left_out; /* line of the first; 0: none */
};

/* Reads the rest of a stream; messages call it `name`. Numbers of a file with decimal commas
 * throughout get points. Status 2 if it has no header or more rows are left out than read (the
 * message gives the first), 4 if memory is lacking or it has more than 256 MiB. */
enum status frame_read(struct frame *out, FILE *stream, const char *name, struct failure *f);
void frame_release(struct frame *frame);

/* Returns the index of a column, or -1. */
ptrdiff_t frame_find(const struct frame *frame, const char *column);

const char *frame_name(const struct frame *frame, size_t column);
const char *frame_field(const struct frame *frame, size_t row, size_t column);

/* Returns the number in a field; NaN if it holds no finite number. */
double frame_number(const struct frame *frame, size_t row, size_t column);

/* Writes a field, in quotes if it contains a comma or a quote. */
void frame_write_field(FILE *stream, const char *field);

#endif
