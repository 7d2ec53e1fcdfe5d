#include "experiments/program/times_table.h"

#include "experiments/common/file_bytes.h"
#include "experiments/common/lists.h"
#include "harness/base/text/csv_field.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MOST = 64 << 20 };

/* Cuts the next line out of the text, without its end. NULL at the end. */
static char *next_line(char **at)
{
    char *line = strsep(at, "\n");
    if (!line || (!*at && !*line))
        return NULL;
    line[strcspn(line, "\r")] = '\0';
    return line;
}

/* Returns what separates the fields of a first line; a blank if nothing else does. */
static char separator_of(const char *line)
{
    const char *begin = line + strspn(line, " \t");
    const char *end = begin + strcspn(begin, " ");
    const bool blanks = !strpbrk(line, ",;\t\"") && end[strspn(end, " ")];
    return blanks ? ' ' : csv_separator(line);
}

/* Leaves one blank between words, and none around them. */
static void join_blanks(char *line)
{
    char *to = line;
    for (const char *at = line + strspn(line, " \t"); *at; at++)
        if (*at != ' ' || (at[1] && at[1] != ' '))
            *to++ = *at;
    *to = '\0';
}

/* Splits a line in place. Returns false if its quotes are wrong. */
static bool split(struct times_line *line, char *text, char separator)
{
    line->count = 0;
    if (separator == ' ')
        join_blanks(text);
    for (char *at = text; at && line->count < TIMES_FIELDS;) {
        char *field = at, *end = csv_field_end(at, separator);
        if (!end)
            return false;
        at = *end ? end + 1 : NULL;
        *end = '\0';
        line->fields[line->count++] = field;
    }
    return true;
}

static bool is_empty(const struct times_line *line)
{
    for (int i = 0; i < line->count; i++)
        if (line->fields[i][0])
            return false;
    return true;
}

static bool keep_line(struct times_table *t, const struct times_line *line)
{
    struct times_line *grown = array_grow(t->lines, t->count, sizeof *grown);
    if (!grown)
        return false;
    t->lines = grown;
    t->lines[t->count++] = *line;
    return true;
}

static enum status split_all(struct times_table *t, const char *path, struct failure *f)
{
    char *at = csv_skip_mark(t->text), *text, separator = '\0';
    struct times_line line = {0};
    while ((text = next_line(&at))) {
        const char stated = t->count == 0 && !separator ? csv_stated_separator(text) : '\0';
        line.number++;
        if (text[0] == '#' || !text[strspn(text, " \t")])
            continue;
        if (stated) {
            separator = stated;
            continue;
        }
        if (!separator)
            separator = separator_of(text);
        if (!split(&line, text, separator))
            return fail(f, STATUS_USAGE, "%s:%ld: its quotes are wrong", path, line.number);
        if (!is_empty(&line) && !keep_line(t, &line))
            return fail(f, STATUS_RESOURCE, "%s: not enough memory", path);
    }
    return STATUS_OK;
}

static char decimal_of(const struct times_table *t)
{
    struct csv_decimals seen = {0};
    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < t->lines[i].count; k++)
            csv_decimals_note(&seen, t->lines[i].fields[k]);
    return csv_decimals_are_commas(&seen) ? ',' : '.';
}

enum status times_table_read(struct times_table *out, const char *path, struct failure *f)
{
    size_t bytes = 0;
    *out = (struct times_table){0};
    enum status status = file_bytes(path, BYTES_MOST, &out->text, &bytes, f);
    if (status == STATUS_OK && csv_is_utf16(out->text, bytes))
        status = csv_refuse_utf16(path, f);
    if (status == STATUS_OK)
        status = split_all(out, path, f);
    out->decimal = decimal_of(out);
    if (status != STATUS_OK)
        times_table_release(out);
    return status;
}

void times_table_release(struct times_table *t)
{
    free(t->text);
    free(t->lines);
    *t = (struct times_table){0};
}

const char *times_table_field(const struct times_table *t, size_t line, int column)
{
    return column < t->lines[line].count ? t->lines[line].fields[column] : "";
}
