/* Derived files, R/analysis/NAME.KIND.csv. Each has its columns in KIND.inc, the one place that
 * declares them: a line there is a column of the file, and explains it in the dictionary. The
 * columns of the record that a file has are declared in harness/records/columns.inc. */
#ifndef MAXPOOL_DERIVED_TABLE_H
#define MAXPOOL_DERIVED_TABLE_H

#include "experiments/limits/limit_interval.h"
#include "harness/records/columns.h"
#include "harness/records/table.h"

#include <stdio.h>

enum {
    DERIVED_TEXT = 256,
    DERIVED_LONG_TEXT = 4096,
    DERIVED_OWN_COLUMNS = 160, /* at most, per file, besides the record's; of these ... */
    DERIVED_OWN_TEXTS = 24,    /* ... at most this many texts */
    DERIVED_COLUMNS = DERIVED_OWN_COLUMNS + RECORD_COLUMNS
};

struct analysis;

/* Of a row of the file: a text of DERIVED_TEXT bytes, or DERIVED_LONG_TEXT; a number with its
 * interval. `which` is the offset of a column of the record, or a phase. */
typedef void derived_text(const struct analysis *a, const void *row, size_t which, char *text);
typedef struct bounded derived_real(const struct analysis *a, const void *row, size_t which);

enum derived_part { PART_VALUE, PART_LOWER, PART_UPPER };

enum derived_role {
    ROLE_IDENTITY, /* identifies the point, or how it was measured */
    ROLE_QUANTITY, /* a measured or derived number */
    ROLE_BOUND,    /* an end of the interval of the quantity above it */
    ROLE_DRAWING   /* position or colour in charts */
};

struct derived_column {
    const char *name, *lower, *upper; /* of the ends of its interval; NULL: it has none */
    derived_text *text;               /* or */
    derived_real *real;
    const char *unit; /* "1": a number without a unit, "text": no number */
    enum derived_role role;
    const char *meaning;
    size_t which;
    enum derived_part part;
    bool is_long; /* a text of DERIVED_LONG_TEXT bytes */
};

/* A derived file. */
struct derived_table {
    const char *file; /* KIND */
    const struct derived_column *declared;
    size_t declared_count;
    struct derived_column columns[DERIVED_COLUMNS]; /* with the ends of intervals and the record's
                                                       columns; filled on first use */
    size_t count;
    const struct derived_column *by_name[DERIVED_COLUMNS]; /* the same, sorted: names are unique */
};

/* A name that begins with another macro's, or ends with it, and its text. */
#define DERIVED_JOIN(x, y)   x##y
#define DERIVED_JOINED(x, y) DERIVED_JOIN(x, y)
#define DERIVED_QUOTED(x)    #x
#define DERIVED_TEXT_OF(x)   DERIVED_QUOTED(x)

/* The table of a KIND with the columns `of`: see declare_table.inc. */
#define DERIVED_TABLE(kind, of)                                                                    \
    {                                                                                              \
        .file = (kind), .declared = (of), .declared_count = sizeof(of) / sizeof *(of)              \
    }

extern struct derived_table derived_points, derived_fits, derived_model, derived_ceilings,
    derived_ratios, derived_speedup, derived_scale, derived_layers;

/* True if the derived file has that column of the record: points has those that identify a point
 * and every phase, ratios those of the problem. */
extern const char derived_points_file[], derived_ratios_file[]; /* names of these two files */
bool derived_has(const char *file, const struct record_column *c);

/* A value with its interval, a struct interval. */
#define DERIVED_BOUNDED(value, ends) ((struct bounded){(value), (ends).lower, (ends).upper})

/* An integer of a record, at that offset. */
struct bounded derived_integer(const struct record *r, size_t offset);

/* The column of that name; NULL: there is none. */
const struct derived_column *derived_find(struct derived_table *t, const char *name);

/* The same in the table of that KIND; "tidy": of `study export NAME --tidy`. */
const struct derived_column *dictionary_find(const char *file, const char *column);

/* Writes the dictionary, a CSV table of all of them: file, column, unit, meaning. */
void dictionary_write(FILE *stream);

/* The number of a row in a column of numbers; NaN: it is empty. */
double derived_column_number(const struct derived_column *c, const struct analysis *a,
                             const void *row);

/* The same by name; NaN also where there is no such column of numbers. */
double derived_number(struct derived_table *t, const struct analysis *a, const void *row,
                      const char *column);

/* The same with its interval, whose ends are the value if the column has none. */
struct bounded derived_bounded(struct derived_table *t, const struct analysis *a, const void *row,
                               const char *column);

void derived_copy(char *text, const char *from); /* what fits DERIVED_TEXT; NULL: nothing */

/* ---- writing --------------------------------------------------------------------------------- */

enum {
    DERIVED_ROW = DERIVED_LONG_TEXT + (DERIVED_OWN_TEXTS + RECORD_TEXTS) * DERIVED_TEXT +
                  DERIVED_COLUMNS * (int)sizeof(double)
};

struct derived_writer {
    FILE *stream;
    const struct derived_table *table;
    const struct analysis *analysis; /* NULL: columns of the file do not ask for it */
    struct column fields[DERIVED_COLUMNS];
    struct schema schema;
    _Alignas(double) char row[DERIVED_ROW];
};

/* Lays out the columns in a row, and writes the header. */
void derived_begin(struct derived_writer *w, FILE *stream, struct derived_table *t,
                   const struct analysis *a);
/* A number that is not known is left empty. */
void derived_write_row(struct derived_writer *w, const void *row);

#endif
