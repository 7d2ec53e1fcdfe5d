/* Fields of a line of CSV, as in RFC 4180: plain, or in quotes, within which a quote is doubled.
 * And what a spreadsheet makes of such a file: a byte order mark, semicolons or tabs between
 * fields, commas within numbers. */
#ifndef MAXPOOL_CSV_FIELD_H
#define MAXPOOL_CSV_FIELD_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the line without a byte order mark (UTF-8). */
char *csv_skip_mark(char *line);

/* True if a file that begins so is text of two bytes per character; and the failure that says what
 * to do about it. Status 2. */
bool csv_is_utf16(const char *bytes, size_t count);
enum status csv_refuse_utf16(const char *name, struct failure *f);

/* Returns the separator that a first line names for spreadsheets, as in "sep=;"; the header is then
 * the next line. 0: this line names none. */
char csv_stated_separator(const char *line);

/* Returns what separates the fields of a header line: the first comma, semicolon or tab outside
 * quotes; a comma if there is none. */
char csv_separator(const char *header);

/* Removes the quotes of the field that begins at `field`, and the blanks around it (within quotes,
 * blanks stay), in place, and returns what follows it: a separator or the end of the line. Returns
 * NULL if its quotes are wrong. The caller terminates the field there. */
char *csv_field_end(char *field, char separator);

enum { CSV_NUMBER_BYTES = 64 }; /* longer texts are no numbers that a program wrote */

/* Returns a number without signs that can only part thousands, as in 1 024, 1'024 and 1,024.5 (not
 * in 1,024: that may be a decimal comma), and without spaces around it; most often in `plain`. A
 * text that is no number stays none. */
const char *csv_plain_number(const char *text, char plain[CSV_NUMBER_BYTES]);

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

/* Reads a decimal number whose decimal sign is `sign`, after csv_plain_number(). False for anything
 * else: hexadecimals, nan, infinity, the other sign, values beyond a double. */
bool csv_read_real(const char *text, char sign, double *value);

/* Reads an integer, after csv_plain_number(). False for anything else, and beyond 64 bits. */
bool csv_read_integer(const char *text, int64_t *value);

#endif
