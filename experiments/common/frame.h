/* A CSV file of any columns in memory, as texts: a header line, then rows of as many fields. */
#ifndef MAXPOOL_FRAME_H
#define MAXPOOL_FRAME_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct frame {
    char *text;    /* of the whole file; the fields lie in it */
    char **fields; /* of the header, then of the rows */
    size_t columns, rows;
};

/* Reads what is left of a stream, which `name` stands for in messages. Status 2 where it has no
 * header, or a row of another length than the header's (with its line), 4 where memory lacks or
 * there are more than 256 MiB. */
enum status frame_read(struct frame *out, FILE *stream, const char *name, struct failure *f);
void frame_release(struct frame *frame);

/* The place of a column, or -1. */
ptrdiff_t frame_find(const struct frame *frame, const char *column);

const char *frame_name(const struct frame *frame, size_t column);
const char *frame_field(const struct frame *frame, size_t row, size_t column);

/* The number that a field holds, NaN where it holds none. */
double frame_number(const struct frame *frame, size_t row, size_t column);

/* Writes a field, quoted where it must be. */
void frame_write_field(FILE *stream, const char *field);

#endif
