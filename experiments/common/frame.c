#include "experiments/common/frame.h"

#include "harness/base/text/csv_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_MOST = 256 << 20 };

/* Reads the rest of the stream and adds a final 0. */
static enum status read_text(struct frame *out, FILE *stream, const char *name, struct failure *f)
{
    size_t length = 0, capacity = 1 << 16;
    out->text = malloc(capacity + 1);
    while (out->text) {
        length += fread(out->text + length, 1, capacity - length, stream);
        out->text[length] = '\0';
        if (length < capacity && csv_is_utf16(out->text, length))
            return csv_refuse_utf16(name, f);
        if (length < capacity)
            return ferror(stream) ? fail(f, STATUS_USAGE, "%s: cannot be read", name) : STATUS_OK;
        if (capacity >= FRAME_MOST)
            return fail(f, STATUS_RESOURCE, "%s: holds more than %d MiB", name, FRAME_MOST >> 20);
        capacity *= 2;
        char *grown = realloc(out->text, capacity + 1);
        if (!grown)
            break;
        out->text = grown;
    }
    return fail(f, STATUS_RESOURCE, "%s: not enough memory", name);
}

/* All fields so far. */
struct list {
    char **fields;
    size_t count, capacity;
};

static bool add_field(struct list *list, char *field)
{
    if (list->count == list->capacity) {
        const size_t capacity = 2 * list->capacity + 64;
        char **grown = realloc(list->fields, capacity * sizeof *grown);
        if (!grown)
            return false;
        list->fields = grown;
        list->capacity = capacity;
    }
    list->fields[list->count++] = field;
    return true;
}

enum line_kind { LINE_WHOLE, LINE_BAD, LINE_NO_MEMORY };

/* Adds the fields of a line. *filled: whether there is text in one of them. */
static enum line_kind split_line(struct list *list, char *line, char separator, bool *filled)
{
    bool more = true;
    *filled = false;
    for (char *at = line; more; at++) {
        char *field = at;
        at = csv_field_end(at, separator);
        if (!at)
            return LINE_BAD;
        more = *at != '\0';
        *at = '\0';
        *filled |= *field != '\0';
        if (!add_field(list, field))
            return LINE_NO_MEMORY;
    }
    return LINE_WHOLE;
}

/* Adds a row, or leaves it out. Returns false if memory is lacking. */
static bool add_row(struct frame *out, struct list *list, char *line, size_t number, char separator)
{
    const size_t before = list->count;
    bool filled;
    const enum line_kind kind = split_line(list, line, separator, &filled);
    while (list->count - before > out->columns && !list->fields[list->count - 1][0])
        list->count--; /* empty fields behind the last column */
    if (kind == LINE_WHOLE && filled && list->count - before == out->columns)
        return true;
    list->count = before;
    if (out->left_out++ == 0)
        out->first_left_out = number;
    return kind != LINE_NO_MEMORY;
}

static char *next_line(char **rest)
{
    char *line = strsep(rest, "\n");
    line[strcspn(line, "\r")] = '\0';
    return line;
}

static enum status split(struct frame *out, struct list *list, const char *name, struct failure *f)
{
    char *rest = csv_skip_mark(out->text), *header = next_line(&rest);
    size_t line = 2;
    bool filled;
    char separator = csv_stated_separator(header);
    if (separator && rest) {
        header = next_line(&rest);
        line++;
    } else {
        separator = csv_separator(header);
    }
    if (split_line(list, header, separator, &filled) != LINE_WHOLE || !filled)
        return fail(f, STATUS_USAGE, "%s: has no header line", name);
    while (!list->fields[list->count - 1][0])
        list->count--; /* columns without a name behind the last one */
    out->columns = list->count;
    for (; rest && *rest; line++) {
        char *text = next_line(&rest);
        if (*text && !add_row(out, list, text, line, separator))
            return fail(f, STATUS_RESOURCE, "%s: not enough memory", name);
    }
    out->rows = list->count / out->columns - 1;
    if (out->left_out > out->rows)
        return fail(
            f, STATUS_USAGE,
            "%s:%zu: this row has no text, bad quotes, or not %zu fields as the header has; "
            "%zu of %zu rows cannot be read",
            name, out->first_left_out, out->columns, out->left_out, out->left_out + out->rows);
    return STATUS_OK;
}

/* Writes numbers without signs between thousands, and with points where the whole file has decimal
 * commas. */
static void set_points(const struct list *list)
{
    struct csv_decimals seen = {0};
    char plain[CSV_NUMBER_BYTES];
    double value;
    for (size_t i = 0; i < list->count; i++)
        csv_decimals_note(&seen, list->fields[i]);
    const char sign = csv_decimals_are_commas(&seen) ? ',' : '.';
    for (size_t i = 0; i < list->count; i++) {
        if (!csv_read_real(list->fields[i], sign, &value))
            continue;
        const char *number = csv_plain_number(list->fields[i], plain);
        memmove(list->fields[i], number, strlen(number) + 1);
        char *comma = strchr(list->fields[i], ',');
        if (comma)
            *comma = '.';
    }
}

enum status frame_read(struct frame *out, FILE *stream, const char *name, struct failure *f)
{
    struct list list = {0};
    *out = (struct frame){0};
    enum status status = read_text(out, stream, name, f);
    if (status == STATUS_OK)
        status = split(out, &list, name, f);
    if (status == STATUS_OK)
        set_points(&list);
    out->fields = list.fields;
    if (status != STATUS_OK)
        frame_release(out);
    return status;
}

void frame_release(struct frame *frame)
{
    free(frame->text);
    free(frame->fields);
    *frame = (struct frame){0};
}

ptrdiff_t frame_find(const struct frame *frame, const char *column)
{
    for (size_t i = 0; i < frame->columns; i++)
        if (strcmp(frame->fields[i], column) == 0)
            return (ptrdiff_t)i;
    return -1;
}

const char *frame_name(const struct frame *frame, size_t column)
{
    return frame->fields[column];
}

const char *frame_field(const struct frame *frame, size_t row, size_t column)
{
    return frame->fields[(row + 1) * frame->columns + column];
}

double frame_number(const struct frame *frame, size_t row, size_t column)
{
    const char *field = frame_field(frame, row, column);
    char *end;
    const double value = strtod(field, &end);
    return end == field || *end || !isfinite(value) ? (double)NAN : value;
}

void frame_write_field(FILE *stream, const char *field)
{
    if (!strpbrk(field, ",\"")) {
        fputs(field, stream);
        return;
    }
    putc('"', stream);
    for (; *field; field++) {
        if (*field == '"')
            putc('"', stream);
        putc(*field, stream);
    }
    putc('"', stream);
}
