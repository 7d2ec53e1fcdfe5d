/* Files of rows that survive crashes: CSV (RFC 4180, except that a row never spans lines, so that
 * one bad quote cannot swallow the rows after it). A schema declares the columns once, for header,
 * writer and reader. Rows are appended as a whole; readers find columns by name. */
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
 * fit TABLE_LINE_MAX: TABLE_LINE_FITS(struct, columns) checks this at compile time (a text doubles
 * if every byte is a quote; numbers, quotes and commas take less than 32 bytes per column). */
struct schema {
    const struct column *columns;
    size_t count;
    size_t row_bytes;
};

/* The column of a field of struct `row`, with the field's name. `kind` is COLUMN_TEXT, ... */
#define TABLE_COLUMN(row, field, kind, meaning)                                                    \
    {                                                                                              \
#field, kind, offsetof(row, field), sizeof(((row *)0)->field), meaning                     \
    }

#define TABLE_LINE_FITS(row, columns)                                                              \
    (2 * sizeof(row) + 32 * sizeof(columns) / sizeof *(columns) < TABLE_LINE_MAX)

/* Sets every column of a row to not available. */
void table_blank(const struct schema *schema, void *row);

/* Returns a column's name in this version, given any name that files have had for it. */
const char *column_name_now(const char *name);

/* In rows of an operator, a text or integer that files of earlier versions have in column `before`
 * is in column `now`, of the same type. column_move_at returns the i-th such move, or NULL if there
 * are at most i. */
struct column_move {
    const char *operator_name, *before, *now;
};
enum { COLUMN_MOVES_MAX = 16 };
const struct column_move *column_move_at(size_t i);

/* Returns the index of a column by name, or -1. */
int table_find(const struct schema *schema, const char *name);

/* Copies the columns up to and including `last` from another kind of row, by name and type; a text
 * that does not fit is cut. Columns that the other kind lacks do not change, nor does any if there
 * is no column `last`. */
void table_copy_until(const struct schema *schema, void *row, const char *last,
                      const struct schema *other, const void *from);

/* Writes the header line or one row, including the newline. Texts are quoted if necessary; their
 * control characters, including newlines, become spaces; reals get 9 significant digits. */
void table_print_header(const struct schema *schema, FILE *stream);
void table_print(const struct schema *schema, FILE *stream, const void *row);

/* The same into a buffer of TABLE_LINE_MAX bytes, without a final 0; returns the length. */
size_t table_format_header(const struct schema *schema, char *line);
size_t table_format(const struct schema *schema, const void *row, char *line);

/* ---- appending ------------------------------------------------------------------------------ */

struct table_writer;

/* Opens a file to append rows to; creates it, with a header, if it is missing or empty. Status 2 if
 * it has another header (the message names the first column that differs) or exists packed as
 * path.gz, to which nothing is appended; 5 if it cannot be written. An incomplete last line is cut
 * off and reported in *torn (may be NULL). If the target is not a regular file (/dev/stdout, a
 * pipe), the header is written, and neither checked nor synced. Several processes may append to one
 * file: each row is written under flock. A program that writes tables ignores SIGXFSZ, so that
 * exceeding a size limit is an error and does not end it. */
enum status table_writer_open(struct table_writer **out, const struct schema *schema,
                              const char *path, bool *torn, struct failure *f);

/* Appends one whole row. After a short write the file is cut back to its last whole row, and the
 * status is 5. Rows are synced at most about a second later (at once if the previous row is more
 * than a second old) and on close. */
enum status table_append(struct table_writer *w, const void *row, struct failure *f);

enum status table_writer_close(struct table_writer *w, struct failure *f); /* NULL is fine */

/* ---- reading -------------------------------------------------------------------------------- */

/* What a reader found. Corrupt rows are left out and located. */
struct record_report {
    int64_t rows;               /* rows delivered */
    int64_t corrupt;            /* rows left out: wrong field count, a bad number, bad quoting, no
                                   identity */
    int64_t first_corrupt_line; /* 0: none */
    char first_corrupt[160];    /* why: "total_s is '1,5 s'" */
    bool torn;                  /* the last line had no newline and was ignored */
    int64_t missing_columns;    /* known columns that the file lacks */
    int64_t unknown_columns;    /* columns of the file that this version does not have */
};

/* Called for each row, which is valid until the call returns; return false to stop reading. */
typedef bool table_visitor(const void *row, int64_t line, void *context);

/* Reads a file of rows by column name, including names and columns of earlier versions. If the file
 * is missing, path.gz, packed by gzip, is read instead (harness/records/bytes.h, whose statuses
 * apply). A file that a spreadsheet wrote is read too: a byte order mark, semicolons or tabs
 * between fields, and decimal commas where the whole file has them (harness/base/text/csv_field.h).
 * An empty line is no row. A row that is corrupt, or has no text in its column run_id or sample, is
 * left out and counted. Status 2 if the file cannot be read, has no header, has a header with a
 * duplicate column or no known column, or has lost one of those that tell samples apart, or if more
 * rows are left out than delivered (the message gives the first); 4 if memory is short. Lines count
 * from 1, the header. `report` may be NULL. */
enum status table_read(const char *path, const struct schema *schema, table_visitor *visit,
                       void *context, struct record_report *report, struct failure *f);

/* The same, passing over rows whose first column is not `first`, a text without separators or
 * quotes. Some of them may be visited all the same: those that a spreadsheet has quoted, and all
 * rows where the file's first column is not that of the schema. */
enum status table_read_of(const char *path, const struct schema *schema, const char *first,
                          table_visitor *visit, void *context, struct record_report *report,
                          struct failure *f);

/* True if a file has at least one whole line, or exists and cannot be read: there is something to
 * read. A file that is missing, empty, or ends within its header, because its writer died early,
 * counts as never written. */
bool table_is_begun(const char *path);

#endif
