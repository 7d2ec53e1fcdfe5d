/* The meanings of the columns of the derived files and of a tidy table: KIND.inc in this folder
 * says them, and harness/records/columns.inc those of the record's. */
#ifndef MAXPOOL_DICTIONARY_H
#define MAXPOOL_DICTIONARY_H

#include <stddef.h>
#include <stdio.h>

enum dictionary_role {
    ROLE_IDENTITY, /* identifies the point, or how it was measured */
    ROLE_QUANTITY, /* a measured or derived number */
    ROLE_BOUND,    /* an end of the interval of the quantity above it */
    ROLE_DRAWING   /* position or colour in charts */
};

/* A column of R/analysis/NAME.FILE.csv; "tidy": of `study export NAME --tidy`. */
struct dictionary_row {
    const char *file, *column, *unit; /* "1": a number without a unit, "text": no number */
    enum dictionary_role role;
    const char *meaning;
};

/* Row i; rows of one file are adjacent. NULL if i is too large. */
const struct dictionary_row *dictionary_at(size_t i);

/* NULL: not in the dictionary. */
const struct dictionary_row *dictionary_find(const char *file, const char *column);

/* The columns of the ends of a column's 95 % interval; NULL: it has none. */
struct dictionary_interval {
    const struct dictionary_row *lower, *upper;
};
struct dictionary_interval dictionary_interval_of(const struct dictionary_row *row);

/* Writes a CSV table: file, column, unit, meaning. */
void dictionary_write(FILE *stream);

#endif
