#include "experiments/analysis/derived/derived_table.h"

#include <math.h>
#include <string.h>

double derived_part(double value, struct interval i, size_t part)
{
    return part == PART_VALUE ? value : part == PART_LOWER ? i.lower : i.upper;
}

/* ---- columns of the record ------------------------------------------------------------------- */

const char derived_points_file[] = "points", derived_ratios_file[] = "ratios";

static bool is_of_the_problem(const struct record_column *c)
{
    return c->flags & (COLUMN_SIZE | COLUMN_PARAMETER | COLUMN_VALUES);
}

bool derived_has(const char *file, const struct record_column *c)
{
    if (strcmp(file, derived_ratios_file) == 0)
        return is_of_the_problem(c);
    return strcmp(file, derived_points_file) == 0 &&
           (record_column_is(c, COLUMN_POINT) || record_column_is_phase(c));
}

void derived_add_columns(struct derived_layout *l, const struct derived_column *columns,
                         size_t count)
{
    memcpy(l->columns + l->count, columns, count * sizeof *columns);
    l->count += count;
}

void derived_add_record_columns(struct derived_layout *l, derived_text *text, derived_real *real)
{
    for (size_t i = 0; i < RECORD_COLUMNS; i++) {
        const struct record_column *c = &record_columns[i];
        const bool is_text = c->column.type == COLUMN_TEXT;
        const struct derived_column column = {.name = c->column.name,
                                              .text = is_text ? text : NULL,
                                              .real = is_text ? NULL : real,
                                              .which = c->column.offset};
        if (derived_has(l->file, c) && !record_column_is_phase(c))
            derived_add_columns(l, &column, 1);
    }
}

static bool has_column(const struct derived_layout *l, const char *name)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->columns[i].name, name) == 0)
            return true;
    return false;
}

/* enum phase lists the phases in the same order. */
void derived_add_phase_columns(struct derived_layout *l, derived_real *real)
{
    size_t phase = 0;
    for (size_t i = 0; i < RECORD_COLUMNS; i++) {
        const char *name = record_columns[i].column.name;
        if (!record_column_is_phase(&record_columns[i]))
            continue;
        if (derived_has(l->file, &record_columns[i]) && !has_column(l, name))
            derived_add_columns(
                l, &(struct derived_column){.name = name, .real = real, .which = phase}, 1);
        phase++;
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

void derived_copy(char *text, const char *from)
{
    snprintf(text, DERIVED_TEXT, "%s", from);
}

_Static_assert(2 * DERIVED_ROW + 32 * DERIVED_COLUMNS < TABLE_LINE_MAX, "a row must fit a line");

static size_t bytes_of(const struct derived_column *c)
{
    return !c->text ? sizeof(double) : c->is_long ? DERIVED_LONG_TEXT : DERIVED_TEXT;
}

void derived_begin(struct derived_writer *w, FILE *stream, const struct derived_column *columns,
                   size_t count)
{
    size_t size = 0;
    w->stream = stream;
    w->columns = columns;
    for (size_t i = 0; i < count; i++) {
        w->fields[i] = (struct column){columns[i].name, columns[i].text ? COLUMN_TEXT : COLUMN_REAL,
                                       size, bytes_of(&columns[i]), ""};
        size += bytes_of(&columns[i]);
    }
    w->schema = (struct schema){w->fields, count, size};
    table_print_header(&w->schema, stream);
}

/* A CSV holds no infinity. And a number that no clock, ratio or size can have (1e-320 s, or one
 * computed from it) would stretch a chart's axis over hundreds of decades. */
double derived_known(double x)
{
    static const double least = 1e-30, most = 1e30;
    return x == 0.0 || (fabs(x) >= least && fabs(x) <= most) ? x : (double)NAN;
}

/* gnuplot ends a text at a comma or a quote, quoted or not, and drops backslashes. In a text with
 * such characters (a list of augmentations, a foreign name) each is replaced by a different one, so
 * that two different texts stay different. */
void derived_write_plain(char *text)
{
    for (; *text; text++)
        *text = *text == ',' ? ';' : *text == '"' ? '\'' : *text == '\\' ? '/' : *text;
}

void derived_write_row(struct derived_writer *w, const struct derived_source *s)
{
    table_blank(&w->schema, w->row);
    for (size_t i = 0; i < w->schema.count; i++) {
        const struct derived_column *c = &w->columns[i];
        char *field = w->row + w->fields[i].offset;
        if (c->text) {
            c->text(s, c->which, field);
            if (!c->is_long)
                derived_write_plain(field);
            continue;
        }
        const double value = derived_known(c->real(s, c->which, c->part));
        memcpy(field, &value, sizeof value);
    }
    table_print(&w->schema, w->stream, w->row);
}
