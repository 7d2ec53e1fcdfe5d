#include "theses/published/strict_table.h"

#include "experiments/common/lists.h"
#include "harness/base/text/csv_field.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 64 };

struct strict_reading {
    const char *path;
    const char *const *columns;
    size_t known;              /* number of known columns */
    size_t column[FIELDS_MAX]; /* index of the column of each field */
    size_t fields;             /* in the header */
    int64_t line;
    struct failure *failure;
};

/* ---- fields ---------------------------------------------------------------------------------- */

/* Splits a line in place. */
static enum status split(const struct strict_reading *in, char *line, char *fields[FIELDS_MAX],
                         size_t *count)
{
    bool more = true;
    char *at = line;
    for (*count = 0; more; at++) {
        if (*count == FIELDS_MAX)
            return fail(in->failure, STATUS_USAGE, "%s:%lld: more than %d fields", in->path,
                        (long long)in->line, FIELDS_MAX);
        fields[(*count)++] = at;
        at = csv_field_end(at, ',');
        if (!at)
            return fail(in->failure, STATUS_USAGE, "%s:%lld: field %zu: a quote is not closed",
                        in->path, (long long)in->line, *count);
        more = *at == ',';
        *at = '\0';
    }
    return STATUS_OK;
}

/* ---- the header ------------------------------------------------------------------------------ */

static enum status take_header(struct strict_reading *in, char *line)
{
    char *fields[FIELDS_MAX];
    enum status status = split(in, line, fields, &in->fields);
    for (size_t i = 0; i < in->fields && status == STATUS_OK; i++) {
        size_t column = 0;
        while (column < in->known && strcmp(fields[i], in->columns[column]) != 0)
            column++;
        if (column == in->known)
            return fail(in->failure, STATUS_USAGE, "%s:1: no column is called '%s'", in->path,
                        fields[i]);
        for (size_t j = 0; j < i; j++)
            if (in->column[j] == column)
                return fail(in->failure, STATUS_USAGE, "%s:1: column '%s' stands twice", in->path,
                            fields[i]);
        in->column[i] = column;
    }
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static enum status out_of_memory(const struct strict_reading *in)
{
    return fail(in->failure, STATUS_RESOURCE, "%s: not enough memory", in->path);
}

static enum status take_row(const struct strict_reading *in, const char *line,
                            struct strict_table *t)
{
    static char empty[] = "";
    char *fields[FIELDS_MAX];
    size_t count;
    struct strict_row *grown = array_grow(t->rows, t->count, sizeof *grown);
    if (!grown)
        return out_of_memory(in);
    t->rows = grown;
    struct strict_row *row = &t->rows[t->count++];
    *row = (struct strict_row){in->line, calloc(in->known, sizeof *row->cells), strdup(line)};
    if (!row->cells || !row->bytes)
        return out_of_memory(in);
    enum status status = split(in, row->bytes, fields, &count);
    if (status == STATUS_OK && count != in->fields)
        return fail(in->failure, STATUS_USAGE, "%s:%lld: %zu fields, not the %zu of the header",
                    in->path, (long long)in->line, count, in->fields);
    for (size_t i = 0; i < in->known; i++)
        row->cells[i] = empty;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        row->cells[in->column[i]] = fields[i];
    return status;
}

static enum status take_line(struct strict_reading *in, char *line, struct strict_table *t)
{
    line[strcspn(line, "\r\n")] = '\0';
    in->line++;
    if (in->line == 1)
        return take_header(in, line);
    if (!*line)
        return fail(in->failure, STATUS_USAGE, "%s:%lld: an empty line", in->path,
                    (long long)in->line);
    return take_row(in, line, t);
}

enum status strict_table_read(struct strict_table *out, const char *path,
                              const char *const *columns, struct failure *f)
{
    struct strict_reading in = {.path = path, .columns = columns, .failure = f};
    enum status status = STATUS_OK;
    char *line = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    *out = (struct strict_table){0};
    if (!file)
        return fail(f, STATUS_USAGE, "%s: %s", path, strerror(errno));
    while (columns[in.known])
        in.known++;
    out->columns = in.known;
    while (status == STATUS_OK && getline(&line, &capacity, file) >= 0)
        status = take_line(&in, line, out);
    if (status == STATUS_OK && ferror(file))
        status = fail(f, STATUS_USAGE, "%s: %s", path, strerror(errno));
    if (status == STATUS_OK && in.line == 0)
        status = fail(f, STATUS_USAGE, "%s:1: there is no header", path);
    free(line);
    fclose(file);
    if (status != STATUS_OK)
        strict_table_release(out);
    return status;
}

void strict_table_release(struct strict_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->rows[i].cells);
        free(t->rows[i].bytes);
    }
    free(t->rows);
    *t = (struct strict_table){0};
}
