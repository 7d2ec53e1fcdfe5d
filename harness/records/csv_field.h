/* A field of a line of CSV, as RFC 4180 has it: plain, or within quotes, in which a quote is
 * doubled. */
#ifndef MAXPOOL_CSV_FIELD_H
#define MAXPOOL_CSV_FIELD_H

/* Takes the quotes off the field that begins at `field`, in place, and returns what stands behind
 * it: a comma or the end of the line. NULL: its quotes are wrong. The caller ends the field there.
 */
char *csv_field_end(char *field);

#endif
