/* .npy files: one row (1-D), one plane (2-D), planes x rows x columns (3-D), or a batch of images,
 * each of planes x rows x columns (4-D). */
#include "harness/image/npy.h"
#include "harness/image/sources/source_kind.h"
#include "harness/image/strided_numbers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
