/* A word of the command line becomes a value. */
#include "harness/point/options/option_table.h"

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
    if (end == text || *end != 0)
        return fail(f, STATUS_USAGE, "--%s: '%s' is not an integer", row->name, text);
    if (errno == ERANGE)
        return fail(f, STATUS_USAGE, "--%s: %s is more than a 63-bit integer holds", row->name,
                    text);
    if ((double)value < row->least)
        return fail(f, STATUS_USAGE, "%s must be at least %.0f, not %lld", row->name, row->least,
                    value);
    if ((double)value > row->most && row->most < option_int_most)
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
        return fail(f, STATUS_USAGE, "--%s: '%s' is not a number", row->name, text);
    if (!(value >= row->least && value <= row->most))
        return fail(f, STATUS_USAGE, "%s must be between %g and %g, not %s", row->name, row->least,
                    row->most, text);
    *out = value;
    return STATUS_OK;
}

/* Index of `text` among words parted by '|'. */
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

enum status option_read(struct options *o, const struct option_row *row, const char *text,
                        struct failure *f)
{
    void *field = (char *)o + row->offset;
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
    case VALUE_TEXT:
    case VALUE_OPTIONAL:
        *(const char **)field = text ? text : "";
        return STATUS_OK;
    }
    return STATUS_OK;
}
