#include "theses/published/counterparts.h"

#include "harness/base/text/fit.h"
#include "theses/published/published_claims.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const counterpart_columns[COUNTERPART_COLUMNS + 1] = {
    "file",        "item",  "quantity", "where",   "name",     "kind",     "answer",
    "experiments", "point", "measure",  "compare", "sentence", "protocol", NULL};
static const char *const kinds[COUNTERPART_KINDS] = {"measured", "answer", "fact", "absent"};

struct counterparts_reading {
    struct counterparts *out;
    const struct published *published;
    const char *folder;
    char path[PATH_MAX];
    struct failure *failure;
};

enum status counterpart_refuse(const char *folder, const struct counterpart *c,
                               enum counterpart_column column, const char *why, struct failure *f)
{
    return fail(f, STATUS_USAGE, "%s/counterparts.csv:%lld: column '%s': '%s' %s", folder,
                (long long)c->line, counterpart_columns[column],
                text_brief(c->cells[column], 120).text, why);
}

static enum status refuse(const struct counterparts_reading *in, const struct counterpart *c,
                          enum counterpart_column column, const char *why)
{
    return counterpart_refuse(in->folder, c, column, why, in->failure);
}

/* ---- contents of a row ----------------------------------------------------------------------- */

static enum status take_kind(const struct counterparts_reading *in, struct counterpart *c)
{
    for (int i = 0; i < COUNTERPART_KINDS; i++)
        if (strcmp(c->cells[COUNTERPART_KIND], kinds[i]) == 0) {
            c->kind = (enum counterpart_kind)i;
            return STATUS_OK;
        }
    return refuse(in, c, COUNTERPART_KIND, "is not measured, answer, fact or absent");
}

/* Checks that every {column} of a cell names a column of the published rows. */
static enum status check_braces(const struct counterparts_reading *in, const struct counterpart *c,
                                enum counterpart_column column)
{
    const char *open = c->cells[column];
    while ((open = strchr(open, '{')) != NULL) {
        char name[40];
        const size_t length = strcspn(++open, "}");
        snprintf(name, sizeof name, "%.*s", (int)length, open);
        if (open[length] != '}' || published_column_find(name) < 0)
            return refuse(in, c, column, "has braces around no column of the published rows");
    }
    return STATUS_OK;
}

/* Equal protocol, or no ratio. */
static enum status check_compare(const struct counterparts_reading *in, const struct counterpart *c)
{
    const char *compare = c->cells[COUNTERPART_COMPARE], *protocol = c->cells[COUNTERPART_PROTOCOL];
    const bool result = strcmp(compare, "result") == 0;
    if (*compare && !result && strcmp(compare, "ratio") != 0 && strcmp(compare, "limit") != 0)
        return refuse(in, c, COUNTERPART_COMPARE, "is not 'ratio', 'limit' or 'result'");
    if (!protocol_is_known(protocol))
        return refuse(in, c, COUNTERPART_PROTOCOL, "has an unknown word");
    if (result != (*protocol != '\0'))
        return refuse(in, c, COUNTERPART_PROTOCOL,
                      "does not suit: a 'result' has another protocol, a 'ratio' has none");
    return STATUS_OK;
}

static enum status check_row(const struct counterparts_reading *in, const struct counterpart *c)
{
    static const enum counterpart_column needed[COUNTERPART_KINDS][2] = {
        {COUNTERPART_EXPERIMENTS, COUNTERPART_MEASURE},
        {COUNTERPART_ANSWER_OF, COUNTERPART_ANSWER_OF},
        {COUNTERPART_SENTENCE, COUNTERPART_SENTENCE},
        {COUNTERPART_SENTENCE, COUNTERPART_SENTENCE}};
    static const enum counterpart_column filled[] = {COUNTERPART_ANSWER_OF, COUNTERPART_POINT,
                                                     COUNTERPART_MEASURE};
    for (int i = 0; i < 2; i++)
        if (!*c->cells[needed[c->kind][i]])
            return refuse(in, c, needed[c->kind][i], "must not be empty for this kind");
    const enum status compared = check_compare(in, c);
    if (compared != STATUS_OK)
        return compared;
    for (size_t i = 0; i < sizeof filled / sizeof *filled; i++) {
        const enum status status = check_braces(in, c, filled[i]);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status take_rows(const struct counterparts_reading *in)
{
    struct counterparts *out = in->out;
    const struct strict_table *t = &out->table;
    enum status status = STATUS_OK;
    out->all = calloc(t->count + 1, sizeof *out->all);
    if (!out->all)
        return fail(in->failure, STATUS_RESOURCE, "%s: not enough memory", in->path);
    for (out->count = 0; out->count < t->count && status == STATUS_OK; out->count++) {
        struct counterpart *c = &out->all[out->count];
        *c = (struct counterpart){.line = t->rows[out->count].line,
                                  .cells = t->rows[out->count].cells};
        status = take_kind(in, c);
        if (status == STATUS_OK)
            status = check_row(in, c);
    }
    return status;
}

/* ---- the published rows of a counterpart ----------------------------------------------------- */

/* Reads one "column=value" of `where`, skips blanks before it and moves *rest past it. False if it
 * is not of that form. */
static bool next_condition(const char **rest, int *column, char value[FILLED_TEXT])
{
    char name[40];
    const char *at = *rest + strspn(*rest, " ");
    const size_t length = strcspn(at, ";"), equals = strcspn(at, "=");
    if (equals >= length)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)equals, at);
    snprintf(value, FILLED_TEXT, "%.*s", (int)(length - equals - 1), at + equals + 1);
    *column = published_column_find(name);
    *rest = at + length + (at[length] == ';');
    return *column >= 0;
}

static bool meets_conditions(const struct counterpart *c, const struct published_row *row)
{
    char value[FILLED_TEXT];
    int column;
    for (const char *rest = c->cells[COUNTERPART_WHERE]; *rest;)
        if (!next_condition(&rest, &column, value) || strcmp(row->cells[column], value) != 0)
            return false;
    return true;
}

static bool matches_row(const struct counterpart *c, const struct published_row *row)
{
    const char *quantity = c->cells[COUNTERPART_QUANTITY], *item = c->cells[COUNTERPART_ITEM];
    return strcmp(c->cells[COUNTERPART_FILE], row->file) == 0 &&
           (strcmp(item, "*") == 0 || strcmp(item, row->cells[PUBLISHED_ITEM]) == 0) &&
           (strcmp(quantity, "*") == 0 || strcmp(quantity, row->cells[PUBLISHED_QUANTITY]) == 0) &&
           meets_conditions(c, row);
}

static enum status check_conditions(const struct counterparts_reading *in,
                                    const struct counterpart *c)
{
    char value[FILLED_TEXT];
    int column;
    for (const char *rest = c->cells[COUNTERPART_WHERE]; *rest;)
        if (!next_condition(&rest, &column, value))
            return refuse(in, c, COUNTERPART_WHERE, "is no list of column=value separated by ';'");
    return STATUS_OK;
}

static enum status match_row(const struct counterparts_reading *in, size_t row)
{
    const struct published_row *r = &in->published->rows[row];
    const struct counterpart *found = NULL;
    for (size_t i = 0; i < in->out->count; i++) {
        struct counterpart *c = &in->out->all[i];
        if (!matches_row(c, r))
            continue;
        if (found)
            return fail(in->failure, STATUS_USAGE,
                        "%s:%lld: stands beside %s.csv:%lld, and so does line %lld", in->path,
                        (long long)c->line, r->file, (long long)r->line, (long long)found->line);
        c->rows++;
        found = c;
        in->out->of[row] = i;
    }
    if (found)
        return STATUS_OK;
    return fail(in->failure, STATUS_USAGE, "%s: nothing stands beside %s.csv:%lld, '%s', '%s'",
                in->path, r->file, (long long)r->line,
                text_brief(r->cells[PUBLISHED_ITEM], 100).text, r->cells[PUBLISHED_QUANTITY]);
}

static enum status match(const struct counterparts_reading *in)
{
    enum status status = STATUS_OK;
    in->out->of = calloc(in->published->count + 1, sizeof *in->out->of);
    if (!in->out->of)
        return fail(in->failure, STATUS_RESOURCE, "%s: not enough memory", in->path);
    for (size_t i = 0; i < in->out->count && status == STATUS_OK; i++)
        status = check_conditions(in, &in->out->all[i]);
    for (size_t i = 0; i < in->published->count && status == STATUS_OK; i++)
        status = match_row(in, i);
    for (size_t i = 0; i < in->out->count && status == STATUS_OK; i++)
        if (in->out->all[i].rows == 0)
            status = refuse(in, &in->out->all[i], COUNTERPART_ITEM, "stands beside no row");
    return status;
}

/* A name belongs to one counterpart, and to one row. */
static enum status check_names(const struct counterparts_reading *in)
{
    for (size_t i = 0; i < in->out->count; i++) {
        const struct counterpart *c = &in->out->all[i];
        const char *name = c->cells[COUNTERPART_NAME];
        if (*name && c->rows > 1)
            return refuse(in, c, COUNTERPART_NAME, "names several rows");
        for (size_t j = 0; *name && j < i; j++)
            if (strcmp(name, in->out->all[j].cells[COUNTERPART_NAME]) == 0)
                return refuse(in, c, COUNTERPART_NAME, "stands twice");
    }
    return STATUS_OK;
}

enum status counterparts_read(struct counterparts *out, const struct published *p,
                              const char *folder, struct failure *f)
{
    struct counterparts_reading in = {.out = out, .published = p, .folder = folder, .failure = f};
    *out = (struct counterparts){0};
    const int length = snprintf(in.path, sizeof in.path, "%s/counterparts.csv", folder);
    if (length < 0 || (size_t)length >= sizeof in.path)
        return fail(f, STATUS_USAGE, "%s: this path is too long", folder);
    enum status status = strict_table_read(&out->table, in.path, counterpart_columns, f);
    if (status == STATUS_OK)
        status = take_rows(&in);
    if (status == STATUS_OK)
        status = match(&in);
    if (status == STATUS_OK)
        status = check_names(&in);
    if (status != STATUS_OK)
        counterparts_release(out);
    return status;
}

void counterparts_release(struct counterparts *c)
{
    strict_table_release(&c->table);
    free(c->all);
    free(c->of);
    *c = (struct counterparts){0};
}

void counterpart_fill(const char *cell, const struct published_row *row, char text[FILLED_TEXT])
{
    size_t length = 0;
    text[0] = '\0';
    while (*cell && length < FILLED_TEXT - 1) {
        char name[40];
        const size_t inside = *cell == '{' ? strcspn(cell, "}") : 0;
        snprintf(name, sizeof name, "%.*s", inside ? (int)inside - 1 : 0, cell + 1);
        const int column = inside ? published_column_find(name) : -1;
        if (column >= 0)
            snprintf(text + length, FILLED_TEXT - length, "%s", row->cells[column]);
        else
            snprintf(text + length, FILLED_TEXT - length, "%c", *cell);
        length += strlen(text + length);
        cell += column >= 0 ? inside + 1 : 1;
    }
}
