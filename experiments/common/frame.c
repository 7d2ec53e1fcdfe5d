#include "experiments/common/frame.h"

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

/* Terminates and unquotes, in place, the field that begins at `at`. *next: the field after it, or
 * NULL if it was the last of its line. */
static char *take_field(char *at, char **next)
{
    char *from = at, *to = at;
    const bool quoted = *from == '"';
    from += quoted;
    while (*from && (quoted ? *from != '"' || from[1] == '"' : *from != ',')) {
        from += quoted && *from == '"'; /* a doubled quote stands for one */
        *to++ = *from++;
    }
    from += quoted && *from == '"';
    *next = *from == ',' ? from + 1 : NULL;
    *to = '\0';
    return at;
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

/* Adds the fields of a line; returns their number, or 0 if memory is lacking. */
static size_t split_line(struct list *list, char *line)
{
    size_t count = 0;
    for (char *next = line; next; count++)
        if (!add_field(list, take_field(next, &next)))
            return 0;
    return count;
}

static enum status split(struct frame *out, struct list *list, const char *name, struct failure *f)
{
    char *rest = out->text;
    for (size_t line = 1; rest && *rest; line++) {
        char *text = strsep(&rest, "\n");
        text[strcspn(text, "\r")] = '\0';
        if (line > 1 && !*text)
            continue;
        const size_t count = split_line(list, text);
        if (count == 0)
            return fail(f, STATUS_RESOURCE, "%s: not enough memory", name);
        if (line == 1)
            out->columns = count;
        else if (count != out->columns)
            return fail(f, STATUS_USAGE, "%s:%zu: has %zu fields, the header has %zu", name, line,
                        count, out->columns);
    }
    if (out->columns == 0)
        return fail(f, STATUS_USAGE, "%s: is empty", name);
    out->rows = list->count / out->columns - 1;
    return STATUS_OK;
}

enum status frame_read(struct frame *out, FILE *stream, const char *name, struct failure *f)
{
    struct list list = {0};
    *out = (struct frame){0};
    enum status status = read_text(out, stream, name, f);
    if (status == STATUS_OK)
        status = split(out, &list, name, f);
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
