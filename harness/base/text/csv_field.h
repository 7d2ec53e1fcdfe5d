/* Fields of a line of CSV, as in RFC 4180: plain, or in quotes, within which a quote is doubled.
 * And what a spreadsheet makes of such a file: a byte order mark, semicolons or tabs between
 * fields, commas within numbers. */
#ifndef MAXPOOL_CSV_FIELD_H
#define MAXPOOL_CSV_FIELD_H

#include <stdbool.h>

/* Returns the line without a byte order mark (UTF-8). */
char *csv_skip_mark(char *line);

/* Returns what separates the fields of a header line: the first comma, semicolon or tab outside
 * quotes; a comma if there is none. */
char csv_separator(const char *header);

/* Removes the quotes of the field that begins at `field`, in place, and returns what follows it: a
 * separator or the end of the line. Returns NULL if its quotes are wrong. The caller terminates the
 * field there. */
char *csv_field_end(char *field, char separator);

/* The decimal signs of a file's numbers. A sign that may also part thousands (1,024) proves
 * nothing. */
struct csv_decimals {
    bool points, commas; /* a number proves that the sign is a point, or a comma */
    bool unclear;        /* some number has a comma that may be either */
};

/* Notes a field; one that is no number counts for nothing. */
void csv_decimals_note(struct csv_decimals *d, const char *field);

/* True if the decimal sign of the whole file is a comma: a number proves it, and none proves a
 * point. */
bool csv_decimals_are_commas(const struct csv_decimals *d);

/* Reads a decimal number whose decimal sign is `sign`. False for anything else: spaces,
 * hexadecimals, nan, infinity, separators of thousands, values beyond a double. */
bool csv_read_real(const char *text, char sign, double *value);

#endif
