/* What the columns of the derived files (derived.h, forecast.h, layer_times.h) and of a tidy table
 * mean. The record's columns mean there what harness/records/columns.inc says of them; of all
 * others this is the one place that says it. */
#ifndef MAXPOOL_DICTIONARY_H
#define MAXPOOL_DICTIONARY_H

#include <stddef.h>
#include <stdio.h>

enum dictionary_role {
    ROLE_IDENTITY, /* which point it is, or how it was measured */
    ROLE_QUANTITY, /* a number that was measured or derived */
    ROLE_BOUND,    /* an end of the interval of the quantity above it */
    ROLE_DRAWING   /* how charts place or colour it */
};

/* A column of R/analysis/NAME.FILE.csv; "tidy": of `study export NAME --tidy`. */
struct dictionary_row {
    const char *file, *column, *unit; /* "1": a number without a unit, "text": no number */
    enum dictionary_role role;
    const char *meaning;
};

/* The i-th, those of a file together; NULL from their number on. */
const struct dictionary_row *dictionary_at(size_t i);

/* NULL: not in the dictionary. */
const struct dictionary_row *dictionary_find(const char *file, const char *column);

/* The columns with the ends of a column's 95 % interval; NULL: it has none. */
struct dictionary_interval {
    const struct dictionary_row *lower, *upper;
};
struct dictionary_interval dictionary_interval_of(const struct dictionary_row *row);

/* A CSV table: file, column, unit, meaning. */
void dictionary_write(FILE *stream);

#endif
