/* Parses the header of a safetensors file: only the JSON that such a header may contain. */
#include "networks/safetensors.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A type that has no row takes an unknown number of bits (F8_E4M3, F4, C64, ...). */
static const struct safetensors_type types[] = {
    {"F64", 8, true, NUMBER_F64},    {"F32", 4, true, NUMBER_F32},  {"F16", 2, true, NUMBER_F16},
    {"BF16", 2, true, NUMBER_BF16},  {"I64", 8, false, NUMBER_I64}, {"I32", 4, false, NUMBER_I32},
    {"I16", 2, false, NUMBER_I16},   {"I8", 1, false, NUMBER_I8},   {"U64", 8, false, NUMBER_U64},
    {"U32", 4, false, NUMBER_U32},   {"U16", 2, false, NUMBER_U16}, {"U8", 1, false, NUMBER_U8},
    {"BOOL", 1, false, NUMBER_BOOL},
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

/* A text while it is read. What does not fit is dropped, and marks it as too long. */
struct text {
    char *bytes;
    size_t size, length;
    bool too_long;
};

static void put(struct text *t, unsigned char byte)
{
    if (t->length + 1 < t->size)
        t->bytes[t->length++] = (char)byte;
    else
        t->too_long = true;
}

/* Adds a character in UTF-8. One that would end a text is no part of a name here. */
static void put_character(struct text *t, uint32_t c)
{
    t->too_long |= c == 0;
    if (c >= 0x10000)
        put(t, (unsigned char)(0xf0 | c >> 18));
    if (c >= 0x800)
        put(t, (unsigned char)(c >= 0x10000 ? 0x80 | (c >> 12 & 0x3f) : 0xe0 | c >> 12));
    if (c >= 0x80)
        put(t, (unsigned char)(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6));
    put(t, (unsigned char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c));
}

/* Reads the four hexadecimal digits of \uXXXX. */
static bool read_unit(struct reader *r, uint32_t *unit)
{
    static const char digits[] = "0123456789abcdef";
    *unit = 0;
    if (r->end - r->at < 4)
        return false;
    for (int i = 0; i < 4; i++, r->at++) {
        const char lower = *r->at >= 'A' && *r->at <= 'F' ? (char)(*r->at - 'A' + 'a') : *r->at;
        const char *digit = lower ? strchr(digits, lower) : NULL;
        if (!digit)
            return false;
        *unit = *unit << 4 | (uint32_t)(digit - digits);
    }
    return true;
}

/* Reads what follows \u; two units stand for a character beyond 16 bits (RFC 8259, section 7). */
static bool read_unicode(struct reader *r, struct text *t)
{
    uint32_t first, second;
    if (!read_unit(r, &first) || (first >= 0xdc00 && first < 0xe000))
        return false;
    if (first < 0xd800 || first >= 0xe000) {
        put_character(t, first);
        return true;
    }
    if (r->end - r->at < 2 || r->at[0] != '\\' || r->at[1] != 'u')
        return false;
    r->at += 2;
    if (!read_unit(r, &second) || second < 0xdc00 || second >= 0xe000)
        return false;
    put_character(t, 0x10000 + ((first - 0xd800) << 10 | (second - 0xdc00)));
    return true;
}

/* Reads what follows a backslash. */
static bool read_escape(struct reader *r, struct text *t)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end || !*r->at)
        return false;
    const char c = *r->at++;
    const char *found = strchr(names, c);
    if (found)
        put(t, (unsigned char)meanings[found - names]);
    return found || (c == 'u' && read_unicode(r, t));
}

/* Reads any JSON string; one that does not fit becomes "". */
static enum status read_text(struct reader *r, char *bytes, size_t size)
{
    struct text t = {bytes, size, 0, false};
    enum status status = expect(r, '"');
    bytes[0] = '\0';
    if (status != STATUS_OK)
        return status;
    while (r->at < r->end && *r->at != '"') {
        if ((unsigned char)*r->at < ' ')
            return complain(r, "a text is broken off");
        if (*r->at != '\\')
            put(&t, (unsigned char)*r->at++);
        else if (r->at++, !read_escape(r, &t))
            return complain(r, "an escape that JSON does not have");
    }
    bytes[t.too_long ? 0 : t.length] = '\0';
    return r->at == r->end ? complain(r, "a text is broken off") : expect(r, '"');
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

/* Reads a list of counts, of which the first `most` are kept. */
static enum status read_counts(struct reader *r, int64_t *out, int most, int *count,
                               int64_t *product)
{
    enum status status = expect(r, '[');
    *count = 0;
    *product = 1;
    if (status != STATUS_OK || accept(r, ']'))
        return status;
    do {
        int64_t value = 0;
        status = read_count(r, &value);
        if (*count < most)
            out[*count] = value;
        *count += *count < INT_MAX;
        if (*product < 0 || __builtin_mul_overflow(*product, value, product))
            *product = -1;
    } while (status == STATUS_OK && accept(r, ','));
    return status == STATUS_OK ? expect(r, ']') : status;
}

/* ---- entries ----------------------------------------------------------------------------------
 */

enum { HAS_TYPE = 1, HAS_SHAPE = 2, HAS_OFFSETS = 4, HAS_ALL = 7 };

static enum status read_type(struct reader *r, struct safetensors_entry *e)
{
    const enum status status = read_text(r, e->type_name, sizeof e->type_name);
    for (size_t i = 0; status == STATUS_OK && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, e->type_name) == 0)
            e->type = &types[i];
    return status;
}

static enum status read_offsets(struct reader *r, struct safetensors_entry *e)
{
    int64_t offsets[2] = {0, 0}, product;
    int count = 0;
    const enum status status = read_counts(r, offsets, 2, &count, &product);
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
    return field == HAS_TYPE ? read_type(r, e)
           : field == HAS_SHAPE
               ? read_counts(r, e->shape, SAFETENSORS_DIMENSIONS, &e->dimensions, &e->elements)
               : read_offsets(r, e);
}

/* False if the values of a known type take other than the bytes between the offsets. */
static bool fills_its_bytes(const struct safetensors_entry *e)
{
    int64_t bytes;
    return !e->type ||
           (e->elements >= 0 && !__builtin_mul_overflow(e->elements, e->type->bytes, &bytes) &&
            bytes == e->end - e->begin);
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
    if (!fills_its_bytes(e))
        return fail(r->failure, STATUS_USAGE,
                    "%s: tensor %s: its shape does not take the %lld bytes that its offsets name",
                    r->name, e->name, (long long)(e->end - e->begin));
    return STATUS_OK;
}

/* Skips "__metadata__", null or an object of strings, which have no meaning here. */
static enum status skip_metadata(struct reader *r)
{
    static const char null[] = "null";
    char ignored[1];
    skip_blanks(r);
    if ((size_t)(r->end - r->at) >= strlen(null) && memcmp(r->at, null, strlen(null)) == 0) {
        r->at += strlen(null);
        return STATUS_OK;
    }
    enum status status = expect(r, '{');
    if (status != STATUS_OK || accept(r, '}'))
        return status;
    do {
        status = read_text(r, ignored, sizeof ignored);
        if (status == STATUS_OK)
            status = expect(r, ':');
        if (status == STATUS_OK)
            status = read_text(r, ignored, sizeof ignored);
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
        if (s->entries[i].name[0] && by_name(&s->entries[i - 1], &s->entries[i]) == 0)
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
