/* Files of rows that outlive crashes: CSV (RFC 4180, except that a row never spans lines, so that
 * one bad quote cannot swallow the rows after it) with columns that a schema declares once and that
 * header, writer and reader walk. Appended rows are whole rows; readers go by column name. */
#ifndef MAXPOOL_TABLE_H
#define MAXPOOL_TABLE_H

#include "harness/base/failure.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TABLE_LINE_MAX = 1 << 16 }; /* bytes of the longest line, newline included */

/* "Not available": the field is empty in the file. Text: "". */
#define RECORD_NO_INT  INT64_MIN
#define RECORD_NO_REAL ((double)NAN)

enum column_type {
    COLUMN_TEXT, /* char[size], ends with 0 */
    COLUMN_INT,  /* int64_t */
    COLUMN_REAL  /* double, finite or not available */
};

struct column {
    const char *name;
    enum column_type type;
    size_t offset; /* of the field in the row's struct */
    size_t size;   /* of the field, in bytes */
    const char *meaning;
};

/* The columns of one kind of file, in order, over a struct of row_bytes. A row at its widest must
 * fit TABLE_LINE_MAX: TABLE_LINE_FITS(struct, columns) says so at compile time (a text doubles when
 * every byte is a quote; numbers, quotes and commas take less than 32 bytes a column). */
struct schema {
    const struct column *columns;
    size_t count;
    size_t row_bytes;
};

#define TABLE_LINE_FITS(row, columns)                                                              \
    (2 * sizeof(row) + 32 * sizeof(columns) / sizeof *(columns) < TABLE_LINE_MAX)

/* Sets every column of a row to not available. */
void table_blank(const struct schema *schema, void *row);

/* The name that a column has in this version, by any that files have had for it. */
const char *column_name_now(const char *name);

/* Texts and integers that stand in another column of their type than in files of earlier versions,
 * in the rows of an operator: the i-th such column, or NULL from their number on. */
struct column_move {
    const char *operator_name, *before, *now;
};
enum { COLUMN_MOVES_MAX = 16 };
const struct column_move *column_move_at(size_t i);

/* Index of a column by name, or -1. */
int table_find(const struct schema *schema, const char *name);

/* A row's columns up to and including `last` become what those of the same name and type hold in
 * another kind of row; a text that does not fit is cut. Columns that the other has not stay as they
 * are, and so do all where `last` is none. */
void table_copy_until(const struct schema *schema, void *row, const char *last,
                      const struct schema *other, const void *from);

/* Writes the header line or one row, newline included. Texts are quoted where they must be, their
 * control characters (newlines too) become spaces; reals get 9 significant digits. */
void table_print_header(const struct schema *schema, FILE *stream);
void table_print(const struct schema *schema, FILE *stream, const void *row);

/* The same into a buffer of TABLE_LINE_MAX bytes, without a final 0; returns the length. */
size_t table_format_header(const struct schema *schema, char *line);
size_t table_format(const struct schema *schema, const void *row, char *line);

/* ---- appending ------------------------------------------------------------------------------ */

struct table_writer;

/* Opens a file to append rows to, making it (with a header) where it is missing or empty. Status 2
 * where it holds another header (the message names the first column that differs) or lies packed
 * as path.gz, to which nothing is appended; 5 where it cannot be written. A torn last line is cut
 * off and reported in *torn (may be NULL). Where the target is no regular file (/dev/stdout, a
 * pipe), the header is written, and neither checked nor synced. Several processes may append to one
 * file: each row is written under flock. A program that writes tables ignores SIGXFSZ, so that a
 * size limit is an error and not its end. */
enum status table_writer_open(struct table_writer **out, const struct schema *schema,
                              const char *path, bool *torn, struct failure *f);

/* Appends one whole row. After a short write the file is cut back to its last whole row, and the
 * status is 5. Rows are synced at most about a second later (at once where the last row is longer
 * ago than that) and on close. */
enum status table_append(struct table_writer *w, const void *row, struct failure *f);

enum status table_writer_close(struct table_writer *w, struct failure *f); /* NULL is fine */

/* ---- reading -------------------------------------------------------------------------------- */

/* What a reader came across. Corrupt rows are left out and located. */
struct record_report {
    int64_t rows;               /* rows delivered */
    int64_t corrupt;            /* rows left out: wrong field count, a bad number, bad quoting */
    int64_t first_corrupt_line; /* 0: none */
    bool torn;                  /* the last line had no newline and was ignored */
    int64_t missing_columns;    /* known columns that the file does not have */
    int64_t unknown_columns;    /* columns of the file that this version does not know */
};

/* Called for each row, which lives until the call returns; a false return stops the reading. */
typedef bool table_visitor(const void *row, int64_t line, void *context);

/* Reads a file of rows by column name, also by the names and columns of earlier versions; where it
 * is missing, path.gz, packed by gzip, stands for it (harness/records/bytes.h, whose statuses are
 * these too). Status 2 where it cannot be read, has no header, a header with a column twice or
 * without a single known column; 4 where memory is short. Lines count from 1, the header's.
 * `report` may be NULL. */
enum status table_read(const char *path, const struct schema *schema, table_visitor *visit,
                       void *context, struct record_report *report, struct failure *f);

/* The same from byte `offset` on (a row begins there; 0: all): what was appended since. Lines then
 * count from 2 there. */
enum status table_read_from(const char *path, int64_t offset, const struct schema *schema,
                            table_visitor *visit, void *context, struct record_report *report,
                            struct failure *f);

/* True where a file holds a whole line, or is there and cannot be looked at: something to read. A
 * file that is missing, empty, or ends within its header, as one does whose writer died early, is
 * as one that was never written. */
bool table_is_begun(const char *path);

#endif
