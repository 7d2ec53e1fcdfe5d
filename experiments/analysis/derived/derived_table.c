#include "experiments/analysis/derived/derived_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* NaN for what is no number of a CSV: it holds no infinity, and a number that no clock, ratio or
 * size can have (1e-320 s, or one computed from it) would stretch a chart's axis over hundreds of
 * decades. */
static double derived_known(double x)
{
    static const double least = 1e-30, most = 1e30;
    return x == 0.0 || (fabs(x) >= least && fabs(x) <= most) ? x : (double)NAN;
}

struct bounded derived_integer(const struct record *r, size_t offset)
{
    int64_t value;
    memcpy(&value, (const char *)r + offset, sizeof value);
    return (struct bounded){record_number(value), NAN, NAN};
}

/* ---- columns --------------------------------------------------------------------------------- */

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

/* Returns a meaning that holds the name of another column, and stays. */
static const char *meaning_of(const char *words, const char *name)
{
    static char all[1 << 15];
    static size_t used;
    char *text = all + used;
    const int length = snprintf(text, sizeof all - used, "%s%s", words, name);
    used += length > 0 && (size_t)length < sizeof all - used ? (size_t)length + 1 : 0;
    return text;
}

static void add(struct derived_table *t, const struct derived_column *c)
{
    const char *const ends[] = {c->lower, c->upper};
    t->columns[t->count++] = *c;
    for (size_t i = 0; c->lower && i < 2; i++) {
        struct derived_column *end = &t->columns[t->count++];
        *end = *c;
        end->name = ends[i];
        end->lower = end->upper = NULL;
        end->role = ROLE_BOUND;
        end->part = i == 0 ? PART_LOWER : PART_UPPER;
        end->meaning = meaning_of(i == 0 ? "lower end of the 95 % interval of "
                                         : "upper end of the 95 % interval of ",
                                  c->name);
    }
}

/* Adds the columns of the record that the file has, except phases. */
static void add_record(struct derived_table *t, const struct derived_column *of)
{
    for (size_t i = 0; i < RECORD_COLUMNS; i++) {
        const struct record_column *c = &record_columns[i];
        const bool is_text = c->column.type == COLUMN_TEXT;
        if (derived_has(t->file, c) && !record_column_is_phase(c))
            add(t, &(struct derived_column){.name = c->column.name,
                                            .text = is_text ? of->text : NULL,
                                            .real = is_text ? NULL : of->real,
                                            .unit = record_column_unit(c),
                                            .role = ROLE_IDENTITY,
                                            .meaning = c->column.meaning,
                                            .which = c->column.offset});
    }
}

static bool has_column(const struct derived_table *t, const char *name)
{
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->columns[i].name, name) == 0)
            return true;
    return false;
}

/* Adds the phases that the file does not have yet: medians of those of the samples. enum phase
 * lists them in the same order. */
static void add_phases(struct derived_table *t, const struct derived_column *of)
{
    size_t phase = 0;
    for (size_t i = 0; i < RECORD_COLUMNS; i++) {
        const struct record_column *c = &record_columns[i];
        if (!record_column_is_phase(c))
            continue;
        if (derived_has(t->file, c) && !has_column(t, c->column.name))
            add(t, &(struct derived_column){.name = c->column.name,
                                            .real = of->real,
                                            .unit = record_column_unit(c),
                                            .role = ROLE_QUANTITY,
                                            .meaning = meaning_of("median ", c->column.meaning),
                                            .which = phase});
        phase++;
    }
}

static int by_name(const void *a, const void *b)
{
    const struct derived_column *const *one = a, *const *other = b;
    return strcmp((*one)->name, (*other)->name);
}

/* Fills in the columns, unless it is done. */
static void gather(struct derived_table *t)
{
    if (t->count > 0)
        return;
    for (size_t i = 0; i < t->declared_count; i++) {
        const struct derived_column *c = &t->declared[i];
        (c->name ? add : c->text ? add_record : add_phases)(t, c);
    }
    for (size_t i = 0; i < t->count; i++)
        t->by_name[i] = &t->columns[i];
    qsort(t->by_name, t->count, sizeof(struct derived_column *), by_name);
}

const struct derived_column *derived_find(struct derived_table *t, const char *name)
{
    const struct derived_column wanted = {.name = name}, *key = &wanted;
    gather(t);
    const struct derived_column *const *found =
        bsearch(&key, t->by_name, t->count, sizeof(struct derived_column *), by_name);
    return found ? *found : NULL;
}

/* ---- the dictionary ---------------------------------------------------------------------------
 */

/* `study export NAME --tidy` adds these to the columns that identify a point. */
static const struct derived_column tidy_columns[] = {
    {.name = "quantity", .unit = "text", .meaning = "column of the points that the row gives"},
    {.name = "unit", .unit = "text", .meaning = "unit of value, lower and upper"},
    {.name = "value",
     .unit = "see unit",
     .role = ROLE_QUANTITY,
     .meaning = "the number",
     .lower = "lower",
     .upper = "upper"},
};
static struct derived_table derived_tidy = DERIVED_TABLE("tidy", tidy_columns);

static struct derived_table *const tables[] = {&derived_points, &derived_fits,     &derived_model,
                                               &derived_ratios, &derived_ceilings, &derived_speedup,
                                               &derived_scale,  &derived_layers,   &derived_tidy};
enum { TABLES = sizeof tables / sizeof *tables };

const struct derived_column *dictionary_find(const char *file, const char *column)
{
    for (size_t i = 0; i < TABLES; i++)
        if (strcmp(tables[i]->file, file) == 0)
            return derived_find(tables[i], column);
    return NULL;
}

/* Some meanings contain commas, none a quote. */
void dictionary_write(FILE *stream)
{
    fputs("file,column,unit,meaning\n", stream);
    for (size_t i = 0; i < TABLES; i++) {
        gather(tables[i]);
        for (size_t j = 0; j < tables[i]->count; j++) {
            const struct derived_column *c = &tables[i]->columns[j];
            fprintf(stream, "%s,%s,%s,\"%s\"\n", tables[i]->file, c->name, c->unit, c->meaning);
        }
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

void derived_copy(char *text, const char *from)
{
    snprintf(text, DERIVED_TEXT, "%s", from ? from : "");
}

double derived_column_number(const struct derived_column *c, const struct analysis *a,
                             const void *row)
{
    const struct bounded b = c->real(a, row, c->which);
    return derived_known(c->part == PART_VALUE   ? b.value
                         : c->part == PART_LOWER ? b.lower
                                                 : b.upper);
}

struct bounded derived_bounded(struct derived_table *t, const struct analysis *a, const void *row,
                               const char *column)
{
    const struct derived_column *c = derived_find(t, column);
    if (!c || !c->real)
        return (struct bounded){NAN, NAN, NAN};
    const double value = derived_column_number(c, a, row);
    const struct bounded b = c->real(a, row, c->which);
    return c->lower ? (struct bounded){value, derived_known(b.lower), derived_known(b.upper)}
                    : (struct bounded){value, value, value};
}

double derived_number(struct derived_table *t, const struct analysis *a, const void *row,
                      const char *column)
{
    const struct derived_column *c = derived_find(t, column);
    return c && c->real ? derived_column_number(c, a, row) : (double)NAN;
}

/* gnuplot ends a text at a comma or a quote, quoted or not, and drops backslashes. In a text with
 * such characters (a list of augmentations, a foreign name) each is replaced by a different one, so
 * that two different texts stay different. */
static void write_plain(char *text)
{
    for (; *text; text++)
        *text = *text == ',' ? ';' : *text == '"' ? '\'' : *text == '\\' ? '/' : *text;
}

/* ---- writing --------------------------------------------------------------------------------- */

_Static_assert(2 * DERIVED_ROW + 32 * DERIVED_COLUMNS < TABLE_LINE_MAX, "a row must fit a line");

static size_t bytes_of(const struct derived_column *c)
{
    return !c->text ? sizeof(double) : c->is_long ? DERIVED_LONG_TEXT : DERIVED_TEXT;
}

void derived_begin(struct derived_writer *w, FILE *stream, struct derived_table *t,
                   const struct analysis *a)
{
    size_t size = 0;
    gather(t);
    w->stream = stream;
    w->table = t;
    w->analysis = a;
    for (size_t i = 0; i < t->count; i++) {
        const struct derived_column *c = &t->columns[i];
        w->fields[i] =
            (struct column){c->name, c->text ? COLUMN_TEXT : COLUMN_REAL, size, bytes_of(c), ""};
        size += bytes_of(c);
    }
    w->schema = (struct schema){w->fields, t->count, size};
    table_print_header(&w->schema, stream);
}

void derived_write_row(struct derived_writer *w, const void *row)
{
    table_blank(&w->schema, w->row);
    for (size_t i = 0; i < w->schema.count; i++) {
        const struct derived_column *c = &w->table->columns[i];
        char *field = w->row + w->fields[i].offset;
        if (c->text) {
            c->text(w->analysis, row, c->which, field);
            if (!c->is_long)
                write_plain(field);
            continue;
        }
        const double value = derived_column_number(c, w->analysis, row);
        memcpy(field, &value, sizeof value);
    }
    table_print(&w->schema, w->stream, w->row);
}
