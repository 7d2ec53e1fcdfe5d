/* Converts a word of the command line to a value. */
#include "harness/base/text/decimal_point.h"
#include "harness/base/text/integer.h"
#include "harness/base/text/word_list.h"
#include "harness/options/option_row.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum status read_int(const struct option_row *row, const char *text, int64_t *out,
                            struct failure *f)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end != 0 || isspace((unsigned char)*text))
        return fail(f, STATUS_USAGE, "--%s: '%s' is not an integer%s", row->name, text,
                    strpbrk(text, ",.") ? ": give a whole number" : "");
    if (errno == ERANGE)
        return fail(f, STATUS_USAGE, "--%s: %s is more than a 63-bit integer holds", row->name,
                    text);
    if ((double)value < row->least)
        return fail(f, STATUS_USAGE, "%s must be at least %.0f, not %lld", row->name, row->least,
                    value);
    if (row->most > 0 && (double)value > row->most && row->most < option_int_most)
        return fail(f, STATUS_USAGE, "%s must be at most %.0f, not %lld", row->name, row->most,
                    value);
    *out = value;
    return STATUS_OK;
}

static enum status read_real(const struct option_row *row, const char *text, double *out,
                             struct failure *f)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != 0 || !isfinite(value))
        return fail(f, STATUS_USAGE, "--%s: '%s' is not a number%s", row->name, text,
                    point_hint_of(text).text);
    if (row->most > row->least && !(value >= row->least && value <= row->most))
        return fail(f, STATUS_USAGE, "%s must be between %g and %g, not %s", row->name, row->least,
                    row->most, text);
    *out = value;
    return STATUS_OK;
}

/* Finds the index of `text` among words separated by '|'. */
static enum status read_choice(const struct option_row *row, const char *text, int64_t *out,
                               struct failure *f)
{
    const size_t length = strlen(text);
    int64_t index = 0;
    for (const char *word = row->argument; word; index++) {
        const size_t span = strcspn(word, "|");
        if (span == length && strncmp(word, text, span) == 0) {
            *out = index;
            return STATUS_OK;
        }
        word = word[span] ? word + span + 1 : NULL;
    }
    return fail(f, STATUS_USAGE, "--%s must be one of %s, not '%s'", row->name, row->argument,
                text);
}

bool duration_parse(const char *text, double *seconds)
{
    double sum = 0;
    const char *at = text;
    do {
        char *end;
        if (!isdigit((unsigned char)*at))
            return false;
        double part = strtod(at, &end);
        double unit = *end == 'h' ? 3600 : *end == 'm' ? 60 : 1;
        bool bare = *end == '\0';
        if (!bare && !strchr("hms", *end))
            return false;
        sum += part * unit;
        at = bare ? end : end + 1;
    } while (*at);
    *seconds = sum;
    return sum > 0 && isfinite(sum);
}

static enum status read_duration(const struct option_row *row, const char *text, double *out,
                                 struct failure *f)
{
    if (duration_parse(text, out))
        return STATUS_OK;
    return fail(f, STATUS_USAGE, "--%s must be a duration such as 90s, 10m or 1h30m, not '%s'%s",
                row->name, text, point_hint_of(text).text);
}

static enum status read_numbered(const struct option_row *row, const char *text,
                                 struct numbered_part *out, struct failure *f)
{
    const char *at = text;
    if (integer_take(&at, 1, INT64_MAX, &out->index) && *at == '/' &&
        integer_read(at + 1, out->index, INT64_MAX, &out->count))
        return STATUS_OK;
    return fail(f, STATUS_USAGE, "--%s must be I/N with 1 <= I <= N, not '%s'", row->name, text);
}

static enum status read_list(const struct option_row *row, const char *text, const char **out,
                             struct failure *f)
{
    const size_t empty = word_list_empty_item(text);
    if (empty > 0)
        return fail(f, STATUS_USAGE, "--%s: item %zu of '%s' is empty", row->name, empty, text);
    *out = text;
    return STATUS_OK;
}

static enum status add_text(const struct option_row *row, const char *text, struct text_list *list,
                            struct failure *f)
{
    if (list->count == TEXT_LIST)
        return fail(f, STATUS_USAGE, "--%s may be given at most %d times", row->name, TEXT_LIST);
    list->items[list->count++] = text;
    return STATUS_OK;
}

enum status option_set(const struct option_row *row, void *base, const char *text,
                       struct failure *f)
{
    void *field = row->target ? row->target : (char *)base + row->offset;
    switch (row->kind) {
    case VALUE_FLAG:
        *(bool *)field = true;
        return STATUS_OK;
    case VALUE_INT:
        return read_int(row, text, field, f);
    case VALUE_REAL:
        return read_real(row, text, field, f);
    case VALUE_CHOICE:
        return read_choice(row, text, field, f);
    case VALUE_DURATION:
        return read_duration(row, text, field, f);
    case VALUE_PART:
        return read_numbered(row, text, field, f);
    case VALUE_LIST:
        return read_list(row, text, field, f);
    case VALUE_TEXTS:
        return add_text(row, text, field, f);
    case VALUE_TEXT:
    case VALUE_OPTIONAL:
        *(const char **)field = text ? text : "";
        return STATUS_OK;
    }
    return STATUS_OK;
}
