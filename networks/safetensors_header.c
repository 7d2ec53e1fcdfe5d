/* Parses the header of a safetensors file: only the JSON that such a header may contain. */
#include "networks/safetensors.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct safetensors_type types[] = {
    {"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"I64", 8}, {"I32", 4},  {"I16", 2},
    {"I8", 1},  {"U64", 8}, {"U32", 4}, {"U16", 2},  {"U8", 1},  {"BOOL", 1},
};

/* ---- text -------------------------------------------------------------------------------------
 */

struct reader {
    const char *at, *end, *begin;
    const char *name; /* of the file */
    struct failure *failure;
};

static enum status complain(const struct reader *r, const char *what)
{
    return fail(r->failure, STATUS_USAGE, "%s: byte %lld of the header: %s", r->name,
                (long long)(r->at - r->begin), what);
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

/* Skips blanks, and then c if it is the next character. Returns whether it was. */
static bool accept(struct reader *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static enum status expect(struct reader *r, char c)
{
    char what[16];
    if (accept(r, c))
        return STATUS_OK;
    snprintf(what, sizeof what, "'%c' expected", c);
    return complain(r, what);
}

/* Reads a string within quotes. The only escapes that names of tensors need are those of quote,
 * backslash and slash. */
static enum status read_text(struct reader *r, char *text, size_t size)
{
    size_t length = 0;
    enum status status = expect(r, '"');
    while (status == STATUS_OK && r->at < r->end && *r->at != '"') {
        if (*r->at == '\\')
            r->at++;
        if (r->at == r->end || (unsigned char)*r->at < ' ')
            return complain(r, "a text is broken off");
        if (r->at[-1] == '\\' && !strchr("\"\\/", *r->at))
            return complain(r, "an escape that no name needs");
        if (length + 1 == size)
            return complain(r, "a text is too long");
        text[length++] = *r->at++;
    }
    text[length] = 0;
    return status == STATUS_OK ? expect(r, '"') : status;
}

/* Reads a count as JSON writes one: digits, no sign, no leading 0. */
static enum status read_count(struct reader *r, int64_t *out)
{
    skip_blanks(r);
    const char *first = r->at;
    *out = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, *r->at - '0', out))
            return complain(r, "a number is more than a 63-bit integer holds");
    if (r->at == first || (*first == '0' && r->at - first > 1))
        return complain(r, "a count expected");
    return STATUS_OK;
}

/* Reads a list of at most `most` counts. */
static enum status read_counts(struct reader *r, int64_t *out, int most, int *count)
{
    enum status status = expect(r, '[');
    *count = 0;
    if (status != STATUS_OK || accept(r, ']'))
        return status;
    do {
        if (*count == most)
            return complain(r, "a list is too long");
        status = read_count(r, &out[(*count)++]);
    } while (status == STATUS_OK && accept(r, ','));
    return status == STATUS_OK ? expect(r, ']') : status;
}

/* ---- entries ----------------------------------------------------------------------------------
 */

enum { HAS_TYPE = 1, HAS_SHAPE = 2, HAS_OFFSETS = 4, HAS_ALL = 7 };

static enum status read_type(struct reader *r, struct safetensors_entry *e)
{
    char word[16];
    const enum status status = read_text(r, word, sizeof word);
    for (size_t i = 0; status == STATUS_OK && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, word) == 0)
            e->type = &types[i];
    if (status == STATUS_OK && !e->type)
        return fail(r->failure, STATUS_USAGE, "%s: tensor %s: there is no type '%s'", r->name,
                    e->name, word);
    return status;
}

static enum status read_offsets(struct reader *r, struct safetensors_entry *e)
{
    int64_t offsets[2];
    int count = 0;
    const enum status status = read_counts(r, offsets, 2, &count);
    if (status == STATUS_OK && count != 2)
        return complain(r, "two offsets expected");
    if (status == STATUS_OK) {
        e->begin = offsets[0];
        e->end = offsets[1];
    }
    return status;
}

/* Reads one of the three fields of a tensor; *seen holds those read so far. */
static enum status read_field(struct reader *r, struct safetensors_entry *e, int *seen)
{
    char word[16];
    enum status status = read_text(r, word, sizeof word);
    if (status == STATUS_OK)
        status = expect(r, ':');
    if (status != STATUS_OK)
        return status;
    const int field = strcmp(word, "dtype") == 0          ? HAS_TYPE
                      : strcmp(word, "shape") == 0        ? HAS_SHAPE
                      : strcmp(word, "data_offsets") == 0 ? HAS_OFFSETS
                                                          : 0;
    if (field == 0 || (*seen & field))
        return complain(r, field == 0 ? "dtype, shape or data_offsets expected"
                                      : "the same field twice");
    *seen |= field;
    return field == HAS_TYPE    ? read_type(r, e)
           : field == HAS_SHAPE ? read_counts(r, e->shape, SAFETENSORS_DIMENSIONS, &e->dimensions)
                                : read_offsets(r, e);
}

/* Bytes of the values according to the shape; -1 if they cannot be counted. */
static int64_t bytes_of(const struct safetensors_entry *e)
{
    int64_t bytes = e->type->bytes;
    for (int i = 0; i < e->dimensions; i++)
        if (__builtin_mul_overflow(bytes, e->shape[i], &bytes))
            return -1;
    return bytes;
}

static enum status read_entry(struct reader *r, struct safetensors_entry *e, int64_t data_bytes)
{
    int seen = 0;
    enum status status = expect(r, '{');
    while (status == STATUS_OK && seen != HAS_ALL) {
        status = read_field(r, e, &seen);
        if (status == STATUS_OK && seen != HAS_ALL)
            status = expect(r, ',');
    }
    if (status == STATUS_OK)
        status = expect(r, '}');
    if (status != STATUS_OK)
        return status;
    if (e->begin > e->end || e->end > data_bytes)
        return fail(r->failure, STATUS_USAGE,
                    "%s: tensor %s: offsets %lld and %lld do not lie in the %lld bytes of data",
                    r->name, e->name, (long long)e->begin, (long long)e->end,
                    (long long)data_bytes);
    if (bytes_of(e) != e->end - e->begin)
        return fail(r->failure, STATUS_USAGE,
                    "%s: tensor %s: its shape does not take the %lld bytes that its offsets name",
                    r->name, e->name, (long long)(e->end - e->begin));
    return STATUS_OK;
}

/* Skips "__metadata__", whose strings have no meaning here. */
static enum status skip_metadata(struct reader *r)
{
    enum { TEXT = 4096 };
    char text[TEXT];
    enum status status = expect(r, '{');
    if (status != STATUS_OK || accept(r, '}'))
        return status;
    do {
        status = read_text(r, text, sizeof text);
        if (status == STATUS_OK)
            status = expect(r, ':');
        if (status == STATUS_OK)
            status = read_text(r, text, sizeof text);
    } while (status == STATUS_OK && accept(r, ','));
    return status == STATUS_OK ? expect(r, '}') : status;
}

static enum status grow(struct safetensors *s, struct reader *r)
{
    if (s->count == SAFETENSORS_TENSORS_MOST)
        return complain(r, "too many tensors");
    if (s->count > 0 && (s->count & (s->count - 1)) != 0) /* the capacity is a power of 2 */
        return STATUS_OK;
    const size_t capacity = s->count > 0 ? 2 * s->count : 1;
    struct safetensors_entry *grown = realloc(s->entries, capacity * sizeof *grown);
    if (!grown)
        return fail(r->failure, STATUS_RESOURCE, "%s: no memory for its header", r->name);
    s->entries = grown;
    return STATUS_OK;
}

static enum status read_member(struct safetensors *s, struct reader *r)
{
    struct safetensors_entry e = {.dimensions = 0};
    enum status status = read_text(r, e.name, sizeof e.name);
    if (status == STATUS_OK)
        status = expect(r, ':');
    if (status == STATUS_OK && strcmp(e.name, "__metadata__") == 0)
        return skip_metadata(r);
    if (status == STATUS_OK)
        status = read_entry(r, &e, s->data_bytes);
    if (status == STATUS_OK)
        status = grow(s, r);
    if (status == STATUS_OK)
        s->entries[s->count++] = e;
    return status;
}

/* ---- the header -------------------------------------------------------------------------------
 */

static int by_name(const void *a, const void *b)
{
    const struct safetensors_entry *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int by_offset(const void *a, const void *b)
{
    const struct safetensors_entry *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

static enum status check_names(struct safetensors *s, const char *name, struct failure *f)
{
    qsort(s->entries, s->count, sizeof *s->entries, by_name);
    for (size_t i = 1; i < s->count; i++)
        if (by_name(&s->entries[i - 1], &s->entries[i]) == 0)
            return fail(f, STATUS_USAGE, "%s: tensor %s comes twice", name, s->entries[i].name);
    return STATUS_OK;
}

/* Checks that each tensor begins where the one before it ends, and that the last one ends with the
 * file. */
static enum status check_offsets(struct safetensors *s, const char *name, struct failure *f)
{
    int64_t end = 0;
    qsort(s->entries, s->count, sizeof *s->entries, by_offset);
    for (size_t i = 0; i < s->count; i++) {
        const struct safetensors_entry *e = &s->entries[i];
        if (e->begin != end)
            return fail(f, STATUS_USAGE, "%s: tensor %s %s", name, e->name,
                        e->begin < end ? "overlaps another" : "leaves a gap before it");
        end = e->end;
    }
    if (end != s->data_bytes)
        return fail(f, STATUS_USAGE, "%s: %lld bytes behind the last tensor", name,
                    (long long)(s->data_bytes - end));
    return STATUS_OK;
}

enum status safetensors_parse(struct safetensors *out, const char *text, size_t size,
                              int64_t data_bytes, const char *name, struct failure *f)
{
    struct reader r = {text, text + size, text, name, f};
    *out = (struct safetensors){.data_bytes = data_bytes};
    enum status status = expect(&r, '{');
    if (status == STATUS_OK && !accept(&r, '}')) {
        do
            status = read_member(out, &r);
        while (status == STATUS_OK && accept(&r, ','));
        if (status == STATUS_OK)
            status = expect(&r, '}');
    }
    skip_blanks(&r);
    if (status == STATUS_OK && r.at != r.end)
        status = complain(&r, "something behind the object");
    if (status == STATUS_OK && out->count > 0)
        status = check_names(out, name, f);
    if (status == STATUS_OK && out->count > 0)
        status = check_offsets(out, name, f);
    return status;
}
