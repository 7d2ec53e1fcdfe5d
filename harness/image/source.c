#include "harness/image/source_kind.h"
#include "kernels/geometry.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

struct file_kind {
    const char *ending;
    enum status (*open)(struct source **out, const char *path, struct failure *f);
    const char *unavailable; /* why this build cannot read it */
    const char *refused;     /* why no build reads it */
};

/* One row per ending. A new kind of file is one function and one row. */
static const struct file_kind file_kinds[] = {
    {.ending = ".npy", .open = source_open_npy},
    {.ending = ".txt", .open = source_open_text},
#ifdef MAXPOOL_HAVE_PNG
    {.ending = ".png", .open = source_open_png},
#else
    {.ending = ".png", .unavailable = "built without libpng (Debian: libpng-dev)"},
#endif
#ifdef MAXPOOL_HAVE_NIFTI
    {.ending = ".nii", .open = source_open_nifti},
    {.ending = ".nii.gz", .open = source_open_nifti},
#else
    {.ending = ".nii", .unavailable = "built without libnifti (Debian: libnifti-dev)"},
    {.ending = ".nii.gz", .unavailable = "built without libnifti (Debian: libnifti-dev)"},
#endif
    {.ending = ".hdr", .refused = "NIfTI in two files is not read: convert it to one .nii"},
    {.ending = ".img", .refused = "NIfTI in two files is not read: convert it to one .nii"},
};

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static const struct file_kind *file_kind_of(const char *path)
{
    for (size_t i = 0; i < sizeof file_kinds / sizeof *file_kinds; i++)
        if (ends_with(path, file_kinds[i].ending))
            return &file_kinds[i];
    return NULL;
}

enum status source_open_file(struct source **out, const char *path, struct failure *f)
{
    *out = NULL;
    if (strcmp(path, "-") == 0)
        return source_open_text_stream(out, stdin, "standard input", f);
    const struct file_kind *kind = file_kind_of(path);
    if (!kind)
        return fail(f, STATUS_USAGE, "%s: the name should end in .png, .npy, .nii, .nii.gz or .txt",
                    path);
    if (kind->refused)
        return fail(f, STATUS_USAGE, "%s: %s", path, kind->refused);
    if (!kind->open)
        return fail(f, STATUS_UNAVAILABLE, "%s: cannot read %s: %s", path, kind->ending,
                    kind->unavailable);
    return kind->open(out, path, f);
}

enum status source_new(struct source **out, size_t size, const struct source_operations *operations,
                       const char *name, struct failure *f)
{
    struct source *s = calloc(1, size);
    char *copy = strdup(name);
    if (!s || !copy) {
        free(s);
        free(copy);
        return fail(f, STATUS_RESOURCE, "%s: no memory to open it", name);
    }
    s->operations = operations;
    s->name = copy;
    *out = s;
    return STATUS_OK;
}

enum status source_set_shape(struct source *s, struct image_shape shape, struct failure *f)
{
    if (shape.planes < 1 || shape.rows < 1 || shape.cols < 1)
        return fail(f, STATUS_USAGE,
                    "%s: %" PRId64 " planes of %" PRId64 " x %" PRId64
                    " cells: every length must be at least 1",
                    s->name, shape.planes, shape.rows, shape.cols);
    if (geometry_cells(shape.planes, shape.rows, shape.cols) < 0)
        return fail(f, STATUS_RESOURCE,
                    "%s: %" PRId64 " planes of %" PRId64 " x %" PRId64
                    " cells are more bytes than 63 bits can count",
                    s->name, shape.planes, shape.rows, shape.cols);
    s->shape = shape;
    return STATUS_OK;
}

void source_close(struct source *s)
{
    if (!s)
        return;
    s->operations->close(s);
    free(s->name);
    free(s);
}

struct image_shape source_shape(const struct source *s)
{
    return s->shape;
}

const char *source_name(const struct source *s)
{
    return s->name;
}

bool source_concurrent(const struct source *s)
{
    return s->concurrent;
}

static bool inside(int64_t first, int64_t count, int64_t length)
{
    return first >= 0 && count >= 0 && count <= length && first <= length - count;
}

enum status source_read(struct source *s, const struct image_range *range, float *dst,
                        int64_t dst_stride, struct image_facts *facts, struct failure *f)
{
    if (!inside(range->plane, 1, s->shape.planes) ||
        !inside(range->row, range->rows, s->shape.rows) ||
        !inside(range->col, range->cols, s->shape.cols))
        return fail(f, STATUS_USAGE, "%s: a range outside the image was asked for", s->name);
    if (range->rows == 0 || range->cols == 0)
        return STATUS_OK;
    struct image_facts seen = IMAGE_FACTS_NONE;
    enum status status = s->operations->read(s, range, dst, dst_stride, &seen, f);
    if (status == STATUS_OK && facts)
        image_facts_merge(facts, &seen);
    return status;
}

void image_facts_merge(struct image_facts *into, const struct image_facts *from)
{
    if (from->max_abs > into->max_abs)
        into->max_abs = from->max_abs;
    into->integers = into->integers && from->integers;
    into->rounded += from->rounded;
}

enum status source_bad_value(const struct source *s, int64_t plane, int64_t row, int64_t col,
                             double value, struct failure *f)
{
    if (isfinite(value))
        return fail(f, STATUS_USAGE,
                    "%s: %g at plane %" PRId64 ", row %" PRId64 ", column %" PRId64
                    " (counted from 0) is too large for float32",
                    s->name, value, plane, row, col);
    return fail(f, STATUS_USAGE,
                "%s: %s at plane %" PRId64 ", row %" PRId64 ", column %" PRId64
                " (counted from 0): values must be finite",
                s->name, isnan(value) ? "NaN" : "infinity", plane, row, col);
}

enum status source_open_regular(const char *path, int *fd, int64_t *size, struct failure *f)
{
    /* Non-blocking, so that a pipe without a writer is refused and not waited for. */
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0)
        return fail(f, STATUS_USAGE, "%s: cannot open it: %s", path, strerror(errno));
    struct stat about;
    if (fstat(*fd, &about) != 0 || !S_ISREG(about.st_mode)) {
        close(*fd);
        return fail(f, STATUS_USAGE, "%s: not a regular file", path);
    }
    *size = about.st_size;
    return STATUS_OK;
}

bool source_beyond_zlib(int64_t bytes, int64_t file_bytes)
{
    enum { ZLIB_BEST_RATIO = 1032 };
    return bytes / ZLIB_BEST_RATIO > file_bytes;
}
