/* The format is described in the manual of GNU gettext, section "The Format of GNU MO Files": a
 * header of 32-bit numbers, a table of the ids in the order of their bytes, and one of their
 * translations; each row is a length and an offset. A context and its id are separated by \004,
 * forms of a plural by \0. */
#include "harness/base/text/catalogue.h"

#include "harness/base/text/plural.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct catalogue {
    char *bytes; /* owned */
    size_t size;
    bool swapped; /* written on a machine of the other byte order */
    size_t count, ids, texts;
};

static const char context_end = '\004';

static uint32_t number_at(const struct catalogue *c, size_t offset)
{
    uint32_t value;
    memcpy(&value, c->bytes + offset, sizeof value);
    if (!c->swapped)
        return value;
    return value >> 24 | (value >> 8 & 0xff00U) | (value << 8 & 0xff0000U) | value << 24;
}

static const char *text_at(const struct catalogue *c, size_t table, size_t row)
{
    return c->bytes + number_at(c, table + 8 * row + 4);
}

/* Whether every row of a table is a text within the file, ended by \0. */
static bool is_table(const struct catalogue *c, size_t table)
{
    if (c->count > c->size / 8 || table > c->size || 8 * c->count > c->size - table)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        const size_t length = number_at(c, table + 8 * i);
        const size_t offset = number_at(c, table + 8 * i + 4);
        if (offset >= c->size || length >= c->size - offset || c->bytes[offset + length] != '\0')
            return false;
    }
    return true;
}

enum { HEADER_SIZE = 28 };

static bool parse(struct catalogue *c)
{
    static const uint32_t magic = 0x950412de, other_order = 0xde120495;
    if (c->size < HEADER_SIZE)
        return false;
    const uint32_t first = number_at(c, 0);
    c->swapped = first == other_order;
    c->count = number_at(c, 8);
    c->ids = number_at(c, 12);
    c->texts = number_at(c, 16);
    return (first == magic || c->swapped) && number_at(c, 4) >> 16 == 0 && is_table(c, c->ids) &&
           is_table(c, c->texts);
}

static bool read_bytes(struct catalogue *c, FILE *file)
{
    enum { BLOCK = 65536 };
    size_t got = 1;
    while (got > 0) {
        char *grown = realloc(c->bytes, c->size + BLOCK);
        if (!grown)
            return false;
        c->bytes = grown;
        got = fread(c->bytes + c->size, 1, BLOCK, file);
        c->size += got;
    }
    return !ferror(file);
}

enum status catalogue_read(struct catalogue **out, const char *path, struct failure *f)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(f, STATUS_UNAVAILABLE, "%s: cannot be read: %s", path, strerror(errno));
    struct catalogue *c = calloc(1, sizeof *c);
    const bool read = c && read_bytes(c, file);
    fclose(file);
    if (read && parse(c)) {
        *out = c;
        return STATUS_OK;
    }
    catalogue_release(c);
    return read ? fail(f, STATUS_USAGE, "%s: is no catalogue of texts, or damaged", path)
                : fail(f, STATUS_RESOURCE, "%s: cannot be read whole", path);
}

void catalogue_release(struct catalogue *c)
{
    if (c)
        free(c->bytes);
    free(c);
}

/* Compares a key, "context \004 id" or "id", with a text, as strcmp() does. */
static int compare(const char *context, const char *id, const char *text)
{
    if (context) {
        const size_t length = strlen(context);
        const int order = strncmp(context, text, length);
        if (order != 0)
            return order;
        if (text[length] != context_end)
            return (unsigned char)context_end - (unsigned char)text[length];
        text += length + 1;
    }
    return strcmp(id, text);
}

static const char *find(const struct catalogue *c, const char *context, const char *id,
                        size_t *length)
{
    size_t from = 0, to = c->count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const int order = compare(context, id, text_at(c, c->ids, middle));
        if (order == 0) {
            *length = number_at(c, c->texts + 8 * middle);
            return text_at(c, c->texts, middle);
        }
        if (order < 0)
            to = middle;
        else
            from = middle + 1;
    }
    return NULL;
}

const char *catalogue_find(const struct catalogue *c, const char *context, const char *id)
{
    size_t length;
    const char *text = find(c, context, id, &length);
    return text && *text ? text : NULL;
}

const char *catalogue_find_plural(const struct catalogue *c, const char *one, unsigned long count)
{
    size_t length, unused;
    const char *text = find(c, NULL, one, &length), *header = find(c, NULL, "", &unused);
    const char *end = text ? text + length : NULL;
    for (size_t form = header ? plural_form(header, count) : 0; text && form > 0; form--) {
        text += strlen(text) + 1;
        text = text <= end ? text : NULL;
    }
    return text && *text ? text : NULL;
}

void catalogue_walk(const struct catalogue *c, const char *context,
                    void (*each)(const char *id, const char *text, void *data), void *data)
{
    const size_t length = strlen(context);
    for (size_t i = 0; i < c->count; i++) {
        const char *id = text_at(c, c->ids, i), *text = text_at(c, c->texts, i);
        if (strncmp(id, context, length) == 0 && id[length] == context_end && *text)
            each(id + length + 1, text, data);
    }
}
