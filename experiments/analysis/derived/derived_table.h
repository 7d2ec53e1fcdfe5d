/* Derived files, R/analysis/NAME.KIND.csv. A column is either a row of its file's table, with a
 * name and the function that fills it, or a column of the record, declared in
 * harness/records/columns.inc. */
#ifndef MAXPOOL_DERIVED_TABLE_H
#define MAXPOOL_DERIVED_TABLE_H

#include "experiments/analysis/analysis.h"
#include "harness/records/columns.h"
#include "harness/records/table.h"

#include <stdio.h>

enum {
    DERIVED_TEXT = 256,
    DERIVED_LONG_TEXT = 4096,
    DERIVED_OWN_COLUMNS = 160, /* at most, per file, besides the record's; of these ... */
    DERIVED_OWN_TEXTS = 32,    /* ... at most this many texts */
    DERIVED_COLUMNS = DERIVED_OWN_COLUMNS + RECORD_COLUMNS
};

/* The data of a row: each file uses its own members, the others are NULL or 0. */
struct derived_source {
    const struct analysis *analysis;
    const struct point *point;
    const struct curve *curve;
    enum metric metric;
    const struct fit *fit;
    const struct ratio *ratio;
    const struct ceiling *ceiling;
    const char *model;          /* name of a line */
    double x, seconds, speedup; /* of a point of that line */
};

/* `which` selects what: an offset, a phase, a baseline, a kind of curve; `part` selects one of its
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

/* ---- columns of the record ------------------------------------------------------------------- */

extern const char derived_points_file[], derived_ratios_file[]; /* names of these two files */

/* True if the derived file has that column of the record: points has those that identify a point
 * and every phase, ratios those of the problem. */
bool derived_has(const char *file, const struct record_column *c);

/* The columns of a file, in order. */
struct derived_layout {
    const char *file;
    struct derived_column columns[DERIVED_COLUMNS];
    size_t count;
};

/* Adds the file's own columns. */
void derived_add_columns(struct derived_layout *l, const struct derived_column *columns,
                         size_t count);

/* Adds the columns of the record that the file has, except phases; `which` is the offset in struct
 * record. */
void derived_add_record_columns(struct derived_layout *l, derived_text *text, derived_real *real);

/* Adds the phases that the file does not have yet; `which` is the enum phase. */
void derived_add_phase_columns(struct derived_layout *l, derived_real *real);

/* The parts of a number with an interval. */
enum derived_part { PART_VALUE, PART_LOWER, PART_UPPER };
double derived_part(double value, struct interval i, size_t part);

/* NaN for a number that is not finite, or not within 1e-30 to 1e30; 0 is known. */
double derived_known(double x);

void derived_copy(char *text, const char *from); /* copies what fits DERIVED_TEXT */

/* Replaces the characters that gnuplot mistreats in a text: ',', '"' and '\'. */
void derived_write_plain(char *text);

/* ---- writing --------------------------------------------------------------------------------- */

enum {
    DERIVED_ROW = DERIVED_LONG_TEXT + (DERIVED_OWN_TEXTS + RECORD_TEXTS) * DERIVED_TEXT +
                  DERIVED_COLUMNS * (int)sizeof(double)
};

struct derived_writer {
    FILE *stream;
    const struct derived_column *columns;
    struct column fields[DERIVED_COLUMNS];
    struct schema schema;
    _Alignas(double) char row[DERIVED_ROW];
};

/* Lays out the columns, at most DERIVED_COLUMNS, in a row, and writes the header. */
void derived_begin(struct derived_writer *w, FILE *stream, const struct derived_column *columns,
                   size_t count);
/* A number that is not known is left empty. */
void derived_write_row(struct derived_writer *w, const struct derived_source *s);

#endif
