/* .npy files: one row (1-D), one plane (2-D), planes x rows x columns (3-D), or a batch of images,
 * each of planes x rows x columns (4-D). */
#include "harness/image/sources/source_kind.h"
#include "harness/image/strided_numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the header --------------------------------------------------------------------------------
 */

/* Format: NumPy Enhancement Proposal 1 and numpy.lib.format. */
enum {
    NPY_PREFIX_BYTES = 8,  /* magic text and version */
    NPY_MAX_DIMENSIONS = 4 /* images, planes, rows, columns */
};

struct npy_header {
    struct number_format format;
    bool fortran_order; /* the first index varies fastest */
    int dimensions;
    int64_t lengths[NPY_MAX_DIMENSIONS];
};

/* The position of the parser in the dictionary. */
struct cursor {
    const char *text;
    size_t at, size;
    const char *name;
    struct failure *failure;
};

/* A string of the dictionary, without its quotes. */
struct word {
    const char *start;
    size_t length;
};

static const bool big_endian_machine = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

static enum status wrong(const struct cursor *c, const char *expected)
{
    return fail(c->failure, STATUS_USAGE, "%s: bad npy header: expected %s at character %zu",
                c->name, expected, c->at);
}

static bool is_blank(char ch)
{
    return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n';
}

/* Returns the next character that is not blank, or 0 at the end. */
static char peek(struct cursor *c)
{
    while (c->at < c->size && is_blank(c->text[c->at]))
        c->at++;
    return c->at < c->size ? c->text[c->at] : '\0';
}

static bool accept(struct cursor *c, char wanted)
{
    if (peek(c) != wanted || c->at == c->size)
        return false;
    c->at++;
    return true;
}

static bool accept_name(struct cursor *c, const char *wanted)
{
    size_t length = strlen(wanted);
    peek(c);
    if (c->size - c->at < length || memcmp(c->text + c->at, wanted, length) != 0)
        return false;
    c->at += length;
    return true;
}

static bool word_is(const struct word *w, const char *text)
{
    return w->length == strlen(text) && memcmp(w->start, text, w->length) == 0;
}

static enum status parse_word(struct cursor *c, struct word *w)
{
    accept(c, 'u'); /* as Python 2 may write it */
    char quote = peek(c);
    if (quote != '\'' && quote != '"')
        return wrong(c, "a quoted text");
    const char *start = c->text + c->at + 1;
    const char *end = memchr(start, quote, c->size - c->at - 1);
    if (!end)
        return wrong(c, "a text whose quote is closed");
    *w = (struct word){start, (size_t)(end - start)};
    c->at = (size_t)(end + 1 - c->text);
    return STATUS_OK;
}

/* The supported types, by the code that follows the byte order in a descr. */
static const struct {
    const char *code;
    enum number_type type;
} types[] = {
    {"f2", NUMBER_F16}, {"b1", NUMBER_BOOL}, {"f4", NUMBER_F32}, {"f8", NUMBER_F64},
    {"i1", NUMBER_I8},  {"i2", NUMBER_I16},  {"i4", NUMBER_I32}, {"i8", NUMBER_I64},
    {"u1", NUMBER_U8},  {"u2", NUMBER_U16},  {"u4", NUMBER_U32}, {"u8", NUMBER_U64},
};

static enum status type_unread(const struct cursor *c, const struct word *w)
{
    static const struct {
        char letter;
        const char *what;
    } kinds[] = {{'c', "complex numbers"}, {'S', "byte strings"},   {'a', "byte strings"},
                 {'U', "strings"},         {'O', "Python objects"}, {'V', "structured values"},
                 {'M', "dates"},           {'m', "time spans"}};
    const char *what = "values";
    for (size_t i = 0; w->length > 1 && i < sizeof kinds / sizeof *kinds; i++)
        if (w->start[1] == kinds[i].letter)
            what = kinds[i].what;
    int shown = w->length < 32 ? (int)w->length : 32;
    return fail(
        c->failure, STATUS_USAGE,
        "%s: holds %s (type '%.*s'): only f2, f4, f8, b1 and integers of 1, 2, 4 and 8 bytes "
        "are read",
        c->name, what, shown, w->start);
}

static bool is_byte_order(char ch)
{
    return ch == '<' || ch == '>' || ch == '|' || ch == '=';
}

static enum status parse_descr(struct cursor *c, struct npy_header *h)
{
    if (peek(c) == '[')
        return fail(c->failure, STATUS_USAGE,
                    "%s: holds structured values: only plain numbers are read", c->name);
    struct word w = {"", 0};
    enum status status = parse_word(c, &w);
    if (status != STATUS_OK)
        return status;
    const size_t order = w.length > 0 && is_byte_order(w.start[0]); /* without it: the machine's */
    if (w.length == order + 2) {
        struct word code = {w.start + order, 2};
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            if (!word_is(&code, types[i].code))
                continue;
            char other_order = big_endian_machine ? '<' : '>';
            h->format =
                (struct number_format){.type = types[i].type, .swapped = w.start[0] == other_order};
            return STATUS_OK;
        }
    }
    return type_unread(c, &w);
}

static enum status parse_order(struct cursor *c, struct npy_header *h)
{
    h->fortran_order = accept_name(c, "True");
    if (!h->fortran_order && !accept_name(c, "False"))
        return wrong(c, "True or False");
    return STATUS_OK;
}

static bool is_digit(char ch)
{
    return ch >= '0' && ch <= '9';
}

static enum status parse_length(struct cursor *c, int64_t *length)
{
    char first = peek(c);
    if (!is_digit(first))
        return wrong(c, "a length");
    for (*length = 0; c->at < c->size && is_digit(c->text[c->at]); c->at++)
        if (__builtin_mul_overflow(*length, (int64_t)10, length) ||
            __builtin_add_overflow(*length, (int64_t)(c->text[c->at] - '0'), length))
            return fail(c->failure, STATUS_USAGE,
                        "%s: bad npy header: a length that 63 bits cannot hold", c->name);
    if (c->at < c->size && c->text[c->at] == 'L') /* a long, as Python 2 wrote it */
        c->at++;
    return STATUS_OK;
}

static enum status parse_shape(struct cursor *c, struct npy_header *h)
{
    if (!accept(c, '('))
        return wrong(c, "a tuple of lengths");
    bool comma = true;
    for (h->dimensions = 0; !accept(c, ')'); h->dimensions++) {
        if (!comma)
            return wrong(c, "a comma");
        if (h->dimensions == NPY_MAX_DIMENSIONS)
            return fail(c->failure, STATUS_USAGE,
                        "%s: has more than 4 dimensions (images, planes, rows, columns)", c->name);
        enum status status = parse_length(c, &h->lengths[h->dimensions]);
        if (status != STATUS_OK)
            return status;
        comma = accept(c, ',');
    }
    if (h->dimensions == 1 && !comma)
        return wrong(c, "a comma in a tuple of one length");
    return STATUS_OK;
}

/* One row per key; bit i of the set of keys that were seen is row i. */
static const struct {
    const char *key;
    enum status (*parse)(struct cursor *c, struct npy_header *h);
} keys[] = {{"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};

enum { KEYS = sizeof keys / sizeof *keys };

static enum status parse_item(struct cursor *c, struct npy_header *h, unsigned *seen)
{
    size_t start = c->at;
    struct word key = {"", 0};
    enum status status = parse_word(c, &key);
    if (status != STATUS_OK)
        return status;
    unsigned i = 0;
    while (i < KEYS && !word_is(&key, keys[i].key))
        i++;
    if (i == KEYS || (*seen & (1U << i))) {
        c->at = start;
        return wrong(c, "descr, fortran_order and shape, once each,");
    }
    *seen |= 1U << i;
    if (!accept(c, ':'))
        return wrong(c, "a colon");
    return keys[i].parse(c, h);
}

static enum status check_lengths(const struct npy_header *h, const struct cursor *c)
{
    if (h->dimensions == 0)
        return fail(c->failure, STATUS_USAGE,
                    "%s: a single number (0 dimensions): an image has 1 to 4", c->name);
    for (int i = 0; i < h->dimensions; i++)
        if (h->lengths[i] == 0)
            return fail(c->failure, STATUS_USAGE,
                        "%s: dimension %d of %d is 0: an image has at least one element", c->name,
                        i + 1, h->dimensions);
    return STATUS_OK;
}

/* Parses the dictionary that follows prefix and length: `size` bytes at `text`, which need not end
 * with a 0. Messages begin with `name`. Status 2 unless it has the keys descr, fortran_order and
 * shape, once each and no others, with a real type and 1 to 4 lengths of at least 1, and only
 * blanks after it. */
static enum status npy_header_parse(struct npy_header *h, const char *text, size_t size,
                                    const char *name, struct failure *f)
{
    struct cursor c = {.text = text, .size = size, .name = name, .failure = f};
    *h = (struct npy_header){0};
    if (!accept(&c, '{'))
        return wrong(&c, "{");
    unsigned seen = 0;
    bool comma = true;
    while (!accept(&c, '}')) {
        if (!comma)
            return wrong(&c, "a comma");
        enum status status = parse_item(&c, h, &seen);
        if (status != STATUS_OK)
            return status;
        comma = accept(&c, ',');
    }
    if (seen != (1U << KEYS) - 1)
        return wrong(&c, "descr, fortran_order and shape, once each,");
    peek(&c);
    if (c.at < c.size)
        return wrong(&c, "nothing more");
    return check_lengths(h, &c);
}

/* ---- the source --------------------------------------------------------------------------------
 */

struct source_npy {
    struct source base;
    int fd;
    struct strided_numbers numbers;
};

static enum status read_npy(struct source *s, const struct image_range *range, float *dst,
                            int64_t dst_stride, struct image_facts *facts, struct failure *f)
{
    return strided_read(s, &((struct source_npy *)s)->numbers, range, dst, dst_stride, facts, f);
}

static void close_npy(struct source *s)
{
    close(((struct source_npy *)s)->fd);
}

static const struct source_operations npy_operations = {read_npy, close_npy};

static enum status read_bytes(int *fd, int64_t at, void *bytes, int64_t size, const char *name,
                              struct failure *f)
{
    const char *why = "";
    int64_t got = strided_fetch_pread(fd, at, bytes, size, &why);
    if (got < 0)
        return fail(f, STATUS_USAGE, "%s: cannot read it: %s", name, why);
    if (got < size)
        return fail(f, STATUS_USAGE, "%s: cut short: it ends within the npy header", name);
    return STATUS_OK;
}

/* Checks magic text and version, and returns the start of the dictionary and its length in
 * bytes. */
static enum status read_prefix(int *fd, const char *name, int64_t *start, int64_t *length,
                               struct failure *f)
{
    unsigned char prefix[NPY_PREFIX_BYTES] = {0}, bytes[4] = {0};
    enum status status = read_bytes(fd, 0, prefix, sizeof prefix, name, f);
    if (status != STATUS_OK)
        return status;
    if (memcmp(prefix, "\x93NUMPY", 6) != 0)
        return fail(f, STATUS_USAGE, "%s: not an npy file", name);
    if (prefix[6] < 1 || prefix[6] > 3 || prefix[7] != 0)
        return fail(f, STATUS_USAGE, "%s: npy format version %d.%d: 1.0, 2.0 and 3.0 are read",
                    name, prefix[6], prefix[7]);
    int width = prefix[6] == 1 ? 2 : 4;
    status = read_bytes(fd, NPY_PREFIX_BYTES, bytes, width, name, f);
    *start = NPY_PREFIX_BYTES + width;
    *length = 0;
    for (int i = width - 1; status == STATUS_OK && i >= 0; i--)
        *length = *length * 256 + bytes[i];
    return status;
}

static enum status read_header(struct source_npy *n, int64_t file_bytes, struct npy_header *h,
                               struct failure *f)
{
    enum { LONGEST_HEADER = 65535 }; /* bytes: the most that version 1.0 allows; 128 are usual */
    const char *name = n->base.name;
    int64_t start = 0, length = 0;
    enum status status = read_prefix(&n->fd, name, &start, &length, f);
    if (status != STATUS_OK)
        return status;
    if (length > LONGEST_HEADER || length > file_bytes - start)
        return fail(f, STATUS_USAGE,
                    "%s: bad npy header: it claims %" PRId64 " bytes, in a file of %" PRId64, name,
                    length, file_bytes);
    char *text = malloc((size_t)length + 1);
    if (!text)
        return fail(f, STATUS_RESOURCE, "%s: no memory for its header", name);
    status = read_bytes(&n->fd, start, text, length, name, f);
    if (status == STATUS_OK)
        status = npy_header_parse(h, text, (size_t)length, name, f);
    free(text);
    n->numbers.offset = start + length;
    return status;
}

/* Compares the size that the header promises with the file's. */
static enum status check_size(const struct source_npy *n, const struct npy_header *h,
                              int64_t file_bytes, struct failure *f)
{
    int64_t value_bytes = file_bytes - n->numbers.offset;
    int64_t bytes = number_size(h->format.type);
    bool overflow = false;
    for (int i = 0; i < h->dimensions; i++)
        overflow = overflow || __builtin_mul_overflow(bytes, h->lengths[i], &bytes);
    if (overflow)
        return fail(f, STATUS_USAGE,
                    "%s: its header promises more bytes than 63 bits can count, the file holds "
                    "%" PRId64,
                    n->base.name, value_bytes);
    if (bytes != value_bytes)
        return fail(f, STATUS_USAGE,
                    "%s: its header promises %" PRId64 " bytes of values, the file holds %" PRId64,
                    n->base.name, bytes, value_bytes);
    return STATUS_OK;
}

/* Sets batch and steps, and returns the shape. Missing leading dimensions have length 1.
 * check_size() has checked that the product of the lengths does not overflow. */
static struct image_shape lay_out(struct source_npy *n, const struct npy_header *h)
{
    int64_t lengths[NPY_MAX_DIMENSIONS] = {1, 1, 1, 1}, steps[NPY_MAX_DIMENSIONS];
    for (int i = 0; i < h->dimensions; i++)
        lengths[NPY_MAX_DIMENSIONS - h->dimensions + i] = h->lengths[i];
    int64_t step = 1;
    for (int i = 0; i < NPY_MAX_DIMENSIONS; i++) {
        const int axis = h->fortran_order ? i : NPY_MAX_DIMENSIONS - 1 - i;
        steps[axis] = step;
        step *= lengths[axis];
    }
    n->base.batch = lengths[0];
    n->numbers.format = h->format;
    n->numbers.channels = lengths[1];
    n->numbers.image_step = steps[0];
    n->numbers.plane_step = steps[1];
    n->numbers.row_step = steps[2];
    n->numbers.col_step = steps[3];
    return (struct image_shape){lengths[0] * lengths[1], lengths[2], lengths[3]};
}

static enum status prepare(struct source *s, int fd, int64_t file_bytes, struct failure *f)
{
    struct source_npy *n = (struct source_npy *)s;
    struct npy_header h = {0};
    n->fd = fd;
    enum status status = read_header(n, file_bytes, &h, f);
    if (status == STATUS_OK)
        status = check_size(n, &h, file_bytes, f);
    if (status != STATUS_OK)
        return status;
    n->numbers.fetch = strided_fetch_pread;
    n->numbers.file = &n->fd;
    s->concurrent = true;
    return source_set_shape(s, lay_out(n, &h), f);
}

enum status source_open_npy(struct source **out, const char *path, struct failure *f)
{
    static const struct source_file kind = {sizeof(struct source_npy), &npy_operations, prepare};
    return source_open_regular(out, &kind, path, f);
}
