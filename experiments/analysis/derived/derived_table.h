/* Derived files, R/analysis/NAME.KIND.csv. A column is one row of its file's table, its name and
 * what fills it; or it is one of the record's, which harness/records/columns.inc declares. */
#ifndef MAXPOOL_DERIVED_TABLE_H
#define MAXPOOL_DERIVED_TABLE_H

#include "experiments/analysis/analysis.h"
#include "harness/records/columns.h"
#include "harness/records/table.h"

#include <stdio.h>

enum {
    DERIVED_TEXT = 256,
    DERIVED_LONG_TEXT = 4096,
    DERIVED_OWN_COLUMNS = 160, /* at most, of a file beside the record's; of these ... */
    DERIVED_OWN_TEXTS = 32,    /* ... at most so many texts */
    DERIVED_COLUMNS = DERIVED_OWN_COLUMNS + RECORD_COLUMNS
};

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

/* ---- columns of the record ------------------------------------------------------------------- */

extern const char derived_points_file[], derived_ratios_file[]; /* what these two are called */

/* True where the derived file has that column of the record: points what names them and every
 * phase, ratios the problem. */
bool derived_has(const char *file, const struct record_column *c);

/* The columns of a file, in order. */
struct derived_layout {
    const char *file;
    struct derived_column columns[DERIVED_COLUMNS];
    size_t count;
};

/* Adds columns of the file's own. */
void derived_lay(struct derived_layout *l, const struct derived_column *columns, size_t count);

/* Adds those of the record that are no phases and that the file has; `which` is the offset in
 * struct record. */
void derived_lay_record(struct derived_layout *l, derived_text *text, derived_real *real);

/* Adds the phases that it does not have yet; `which` is the enum phase. */
void derived_lay_phases(struct derived_layout *l, derived_real *real);

/* The parts of a number with an interval. */
enum derived_part { PART_VALUE, PART_LOWER, PART_UPPER };
double derived_part(double value, struct interval i, size_t part);

void derived_copy(char *text, const char *from); /* what fits DERIVED_TEXT */

/* Replaces the characters at which gnuplot ends a text: ',' and '"'. */
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

/* Places the columns, at most DERIVED_COLUMNS, in a row, and writes the header. */
void derived_begin(struct derived_writer *w, FILE *stream, const struct derived_column *columns,
                   size_t count);
/* A number that is not finite, or beyond 1e-30 to 1e30, is absent. */
void derived_write_row(struct derived_writer *w, const struct derived_source *s);

#endif
