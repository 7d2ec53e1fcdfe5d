#include "harness/records/table.h"

#include "harness/base/utf8.h"

#include <inttypes.h>
#include <string.h>

/* A line under construction. TABLE_LINE_FITS ensures that the widest row fits; any excess would be
 * dropped. */
struct line {
    char *bytes;
    size_t length;
};

enum { TEXT_MOST = 8192 }; /* bytes of a text, the final 0 included; longer ones are cut */

static void put(struct line *line, char byte)
{
    if (line->length < TABLE_LINE_MAX)
        line->bytes[line->length++] = byte;
}

static void put_all(struct line *line, const char *text)
{
    while (*text)
        put(line, *text++);
}

/* Newlines and other control characters never reach a file, so that a row is one line. */
static char printable(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte < 0x20 || byte == 0x7f ? ' ' : c;
}

/* Bytes that are no UTF-8, as a file's name may have them, are replaced: readers of CSV refuse a
 * file that has one. */
static void put_text(struct line *line, const char *bytes, size_t size)
{
    char text[TEXT_MOST], whole[TEXT_MOST];
    const size_t most = size < TEXT_MOST ? size : TEXT_MOST;
    snprintf(whole, most, "%s", bytes);
    utf8_clean(whole, text, most, false);
    size_t length = strlen(text);
    bool quoted = memchr(text, ',', length) || memchr(text, '"', length) ||
                  (length > 0 && (printable(text[0]) == ' ' || printable(text[length - 1]) == ' '));
    if (quoted)
        put(line, '"');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            put(line, '"');
        put(line, printable(text[i]));
    }
    if (quoted)
        put(line, '"');
}

static void put_field(struct line *line, const struct column *column, const char *field)
{
    char number[32] = "";
    if (column->type == COLUMN_TEXT) {
        put_text(line, field, column->size);
    } else if (column->type == COLUMN_INT) {
        int64_t value;
        memcpy(&value, field, sizeof value);
        if (value != RECORD_NO_INT)
            snprintf(number, sizeof number, "%" PRId64, value);
    } else {
        double value;
        memcpy(&value, field, sizeof value);
        if (isfinite(value))
            snprintf(number, sizeof number, "%.9g", value);
    }
    put_all(line, number);
}

size_t table_format_header(const struct schema *schema, char *bytes)
{
    struct line line = {bytes, 0};
    for (size_t i = 0; i < schema->count; i++) {
        if (i > 0)
            put(&line, ',');
        put_all(&line, schema->columns[i].name);
    }
    put(&line, '\n');
    return line.length;
}

size_t table_format(const struct schema *schema, const void *row, char *bytes)
{
    struct line line = {bytes, 0};
    for (size_t i = 0; i < schema->count; i++) {
        if (i > 0)
            put(&line, ',');
        put_field(&line, &schema->columns[i], (const char *)row + schema->columns[i].offset);
    }
    put(&line, '\n');
    return line.length;
}

void table_print_header(const struct schema *schema, FILE *stream)
{
    char line[TABLE_LINE_MAX];
    fwrite(line, 1, table_format_header(schema, line), stream);
}

void table_print(const struct schema *schema, FILE *stream, const void *row)
{
    char line[TABLE_LINE_MAX];
    fwrite(line, 1, table_format(schema, row, line), stream);
}

void table_blank(const struct schema *schema, void *row)
{
    const int64_t no_int = RECORD_NO_INT;
    const double no_real = RECORD_NO_REAL;
    memset(row, 0, schema->row_bytes);
    for (size_t i = 0; i < schema->count; i++) {
        char *field = (char *)row + schema->columns[i].offset;
        if (schema->columns[i].type == COLUMN_INT)
            memcpy(field, &no_int, sizeof no_int);
        else if (schema->columns[i].type == COLUMN_REAL)
            memcpy(field, &no_real, sizeof no_real);
    }
}

int table_find(const struct schema *schema, const char *name)
{
    for (size_t i = 0; i < schema->count; i++)
        if (strcmp(schema->columns[i].name, name) == 0)
            return (int)i;
    return -1;
}

void table_copy_until(const struct schema *schema, void *row, const char *last,
                      const struct schema *other, const void *from)
{
    const int end = table_find(schema, last);
    for (int i = 0; i <= end; i++) {
        const struct column *to = &schema->columns[i];
        const int there = table_find(other, to->name);
        if (there < 0 || other->columns[there].type != to->type)
            continue;
        char *field = (char *)row + to->offset;
        const char *value = (const char *)from + other->columns[there].offset;
        if (to->type == COLUMN_TEXT)
            snprintf(field, to->size, "%.*s", (int)other->columns[there].size, value);
        else
            memcpy(field, value, to->size);
    }
}
