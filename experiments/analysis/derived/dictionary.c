#include "experiments/analysis/derived/dictionary.h"

#include "experiments/analysis/derived/derived_table.h"

#include <string.h>

static struct derived_table *const tables[] = {&derived_points, &derived_fits,     &derived_models,
                                               &derived_ratios, &derived_ceilings, &derived_speedup,
                                               &derived_scale,  &derived_layers};
enum { TABLES = sizeof tables / sizeof *tables };

/* `study export NAME --tidy` adds these to the columns that identify a point. */
static const struct dictionary_row tidy_rows[] = {
    {"tidy", "quantity", "text", ROLE_IDENTITY, "column of the points that the row gives"},
    {"tidy", "unit", "text", ROLE_IDENTITY, "unit of value, lower and upper"},
    {"tidy", "value", "see unit", ROLE_QUANTITY, "the number"},
    {"tidy", "lower", "see unit", ROLE_BOUND, "lower end of the 95 % interval; empty: none"},
    {"tidy", "upper", "see unit", ROLE_BOUND, "upper end of the 95 % interval; empty: none"},
};

enum { TIDY_ROWS = sizeof tidy_rows / sizeof *tidy_rows };

static struct dictionary_row rows[TABLES * DERIVED_COLUMNS + TIDY_ROWS]; /* filled on first use */
static size_t row_count;

static void gather(void)
{
    for (size_t i = 0; i < TABLES; i++) {
        derived_gather(tables[i]);
        for (size_t j = 0; j < tables[i]->count; j++) {
            const struct derived_column *c = &tables[i]->columns[j];
            rows[row_count++] =
                (struct dictionary_row){tables[i]->file, c->name, c->unit, c->role, c->meaning};
        }
    }
    for (size_t i = 0; i < TIDY_ROWS; i++)
        rows[row_count++] = tidy_rows[i];
}

const struct dictionary_row *dictionary_at(size_t i)
{
    if (row_count == 0)
        gather();
    return i < row_count ? &rows[i] : NULL;
}

const struct dictionary_row *dictionary_find(const char *file, const char *column)
{
    const struct dictionary_row *row;
    for (size_t i = 0; (row = dictionary_at(i)); i++)
        if (strcmp(row->file, file) == 0 && strcmp(row->column, column) == 0)
            return row;
    return NULL;
}

/* The two rows after a quantity are the ends of its interval, if it has one. */
struct dictionary_interval dictionary_interval_of(const struct dictionary_row *row)
{
    const struct dictionary_row *end = rows + row_count;
    if (row->role != ROLE_QUANTITY || end - row < 3 || row[1].role != ROLE_BOUND ||
        strcmp(row[1].file, row->file) != 0)
        return (struct dictionary_interval){NULL, NULL};
    return (struct dictionary_interval){row + 1, row + 2};
}

/* Some meanings contain commas, none a quote. */
void dictionary_write(FILE *stream)
{
    const struct dictionary_row *row;
    fputs("file,column,unit,meaning\n", stream);
    for (size_t i = 0; (row = dictionary_at(i)); i++)
        fprintf(stream, "%s,%s,%s,\"%s\"\n", row->file, row->column, row->unit, row->meaning);
}
