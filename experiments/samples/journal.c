#include "experiments/samples/journal.h"

#include "experiments/common/results.h"
#include "experiments/samples/older_header.h"
#include "experiments/samples/point.h"

#include <string.h>

#define TEXT(field, size, meaning)                                                                 \
    {                                                                                              \
#field, COLUMN_TEXT, offsetof(struct journal_row, field), size, meaning                    \
    }

/* The journal's own columns; the record's columns that identify the launch precede them. */
static const struct column own_columns[] = {
    TEXT(scale, JOURNAL_STATUS, "quick or full"),
    TEXT(status, JOURNAL_STATUS,
         "done, failed, timeout, skipped, interrupted, or again: a new set begins"),
    TEXT(reason, JOURNAL_TEXT, "why, for all but done"),
    TEXT(command, JOURNAL_OUTPUT, "the command, as for a shell"),
    {"exit_status", COLUMN_INT, offsetof(struct journal_row, exit_status), sizeof(int64_t),
     "exit status of the program"},
    {"signal", COLUMN_INT, offsetof(struct journal_row, signal), sizeof(int64_t),
     "signal that ended it"},
    {"seconds", COLUMN_REAL, offsetof(struct journal_row, seconds), sizeof(double),
     "seconds of the launch"},
    TEXT(output, JOURNAL_OUTPUT, "the tail of its output, for failures"),
};

enum { OWN = sizeof own_columns / sizeof *own_columns, COLUMNS_MAX = RECORD_COLUMNS + OWN };

_Static_assert(offsetof(struct journal_row, point) == 0, "the record's columns address it");
_Static_assert(2 * sizeof(struct journal_row) + 32 * COLUMNS_MAX < TABLE_LINE_MAX,
               "a row must fit a line");

const char journal_further[] = "in a further round";

const struct schema *journal_schema(void)
{
    static struct column columns[COLUMNS_MAX];
    static struct schema schema = {columns, 0, sizeof(struct journal_row)};
    if (schema.count == 0) {
        size_t count = 0;
        columns[count++] = record_column_find("experiment")->column;
        columns[count++] = record_column_find("round")->column;
        for (size_t i = 0; i < point_column_count(); i++)
            columns[count++] = point_column(i)->column;
        for (size_t i = 0; i < OWN; i++)
            columns[count++] = own_columns[i];
        columns[count++] = record_column_find("time_utc")->column;
        columns[count++] = record_column_find("set")->column;
        columns[count++] = record_column_find("set_launches")->column;
        schema.count = count;
    }
    return &schema;
}

struct journal_row journal_blank(void)
{
    struct journal_row row;
    table_blank(journal_schema(), &row);
    row.point = record_empty();
    return row;
}

struct visit {
    journal_visitor *visit;
    void *context;
};

static bool visit_row(const void *row, int64_t line, void *context)
{
    const struct visit *to = context;
    (void)line;
    return to->visit(row, to->context);
}

enum status journal_read(const char *path, journal_visitor *visit, void *context,
                         struct record_report *report, struct failure *f)
{
    struct visit to = {visit, context};
    if (report)
        *report = (struct record_report){0};
    if (!table_is_begun(path))
        return STATUS_OK;
    return table_read(path, journal_schema(), visit_row, &to, report, f);
}

enum status journal_open(struct table_writer **out, const char *folder, struct failure *f)
{
    const struct results_path path = results_journal(folder);
    const enum status status = older_header_renew(path.text, journal_schema(), f);
    return status == STATUS_OK ? table_writer_open(out, journal_schema(), path.text, NULL, f)
                               : status;
}

struct visit_of {
    struct visit to;
    const char *experiment;
};

static bool visit_row_of(const void *at, int64_t line, void *context)
{
    const struct journal_row *row = at;
    const struct visit_of *of = context;
    (void)line;
    return strcmp(row->point.experiment, of->experiment) != 0 || of->to.visit(row, of->to.context);
}

enum status journal_read_of(const char *folder, const char *experiment, journal_visitor *visit,
                            void *context, struct failure *f)
{
    struct visit_of of = {{visit, context}, experiment};
    const struct results_path joint = results_journal(folder);
    const enum status status =
        journal_read(results_own_journal(folder, experiment).text, visit, context, NULL, f);
    if (status != STATUS_OK || !table_is_begun(joint.text))
        return status;
    return table_read_of(joint.text, journal_schema(), experiment, visit_row_of, &of, NULL, f);
}
