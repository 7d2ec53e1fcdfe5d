/* A field of a line of CSV, as in RFC 4180: plain, or in quotes, within which a quote is
 * doubled. */
#ifndef MAXPOOL_CSV_FIELD_H
#define MAXPOOL_CSV_FIELD_H

/* Removes the quotes of the field that begins at `field`, in place, and returns what follows it: a
 * comma or the end of the line. Returns NULL if its quotes are wrong. The caller terminates the
 * field there. */
char *csv_field_end(char *field);

#endif
