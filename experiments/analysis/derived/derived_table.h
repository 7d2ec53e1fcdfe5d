/* Derived files, R/analysis/NAME.KIND.csv. A column is one row of its file's table: its name, and
 * what fills it. */
#ifndef MAXPOOL_DERIVED_TABLE_H
#define MAXPOOL_DERIVED_TABLE_H

#include "experiments/analysis/analysis.h"
#include "harness/records/table.h"

#include <stdio.h>

enum { DERIVED_TEXT = 256, DERIVED_LONG_TEXT = 4096, DERIVED_COLUMNS = 192 };

/* What a row is filled from: of each file its own, the rest NULL or 0. */
struct derived_source {
    const struct analysis *analysis;
    const struct point *point;
    const struct curve *curve;
    enum metric metric;
    const struct fit *fit;
    const struct ratio *ratio;
    const struct ceiling *ceiling;
    const char *model;          /* the name of a line */
    double x, seconds, speedup; /* of a point of that line */
};

/* `which` says what of it: an offset, a phase, a baseline, a kind of curve; `part` which of its
 * numbers. A text is written to DERIVED_TEXT bytes, or DERIVED_LONG_TEXT. */
typedef void derived_text(const struct derived_source *s, size_t which, char *text);
typedef double derived_real(const struct derived_source *s, size_t which, size_t part);

struct derived_column {
    const char *name;
    derived_text *text; /* or */
    derived_real *real;
    size_t which, part;
    bool is_long; /* a text of DERIVED_LONG_TEXT bytes */
};

/* The parts of a number with an interval. */
enum derived_part { PART_VALUE, PART_LOWER, PART_UPPER };
double derived_part(double value, struct interval i, size_t part);

void derived_copy(char *text, const char *from); /* what fits DERIVED_TEXT */

/* Puts other characters in the place of those at which gnuplot ends a text: ',' and '"'. */
void derived_make_readable(char *text);

/* ---- writing --------------------------------------------------------------------------------- */

struct derived_writer {
    FILE *stream;
    const struct derived_column *columns;
    struct column fields[DERIVED_COLUMNS];
    struct schema schema;
    _Alignas(
        double) char row[DERIVED_LONG_TEXT + 64 * DERIVED_TEXT + DERIVED_COLUMNS * sizeof(double)];
};

/* Lays the columns out, at most DERIVED_COLUMNS with at most 64 texts, and writes the header. */
void derived_begin(struct derived_writer *w, FILE *stream, const struct derived_column *columns,
                   size_t count);
/* A number that is not finite, or beyond 1e-30 to 1e30, is absent. */
void derived_write_row(struct derived_writer *w, const struct derived_source *s);

#endif
