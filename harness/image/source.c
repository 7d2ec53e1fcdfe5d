#include "harness/image/sources/source_kind.h"

#include "harness/base/clock.h"
#include "harness/base/regular_file.h"
#include "kernels/geometry.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
                    " elements: every length must be at least 1",
                    s->name, shape.planes, shape.rows, shape.cols);
    if (geometry_elements(shape.planes, shape.rows, shape.cols) < 0)
        return fail(f, STATUS_RESOURCE,
                    "%s: %" PRId64 " planes of %" PRId64 " x %" PRId64
                    " elements are more bytes than 63 bits can count",
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
    free(s->shown);
    free(s);
}

struct image_shape source_shape(const struct source *s)
{
    return s->shape;
}

const char *source_name(const struct source *s)
{
    return s->shown ? s->shown : s->name;
}

bool source_concurrent(const struct source *s)
{
    return s->concurrent;
}

void source_take_nans(struct source *s)
{
    s->nan_is_zero = true;
}

const char *source_note(const struct source *s)
{
    return s->note[0] ? s->note : NULL;
}

int64_t source_batch(const struct source *s)
{
    return s->batch > 0 ? s->batch : 1;
}

int64_t source_packed_bytes(const struct source *s)
{
    return s->packed_bytes;
}

int64_t source_unpacked_elements(const struct source *s)
{
    return s->unpacked_elements > 0 ? s->unpacked_elements
                                    : s->shape.planes * s->shape.rows * s->shape.cols;
}

int64_t source_unpacked_bytes(const struct source *s)
{
    return s->unpacked_bytes > 0 ? s->unpacked_bytes
                                 : source_unpacked_elements(s) * (int64_t)sizeof(float);
}

int64_t source_whole_bytes(const struct source *s)
{
    return s->whole_bytes;
}

double source_white(const struct source *s)
{
    return s->white;
}

void source_limit(struct source *s, double seconds)
{
    s->limit_s = seconds;
    s->limit_from = clock_now();
}

enum status source_in_time(const struct source *s, struct failure *f)
{
    if (s->limit_s <= 0.0 || clock_now() - s->limit_from <= s->limit_s)
        return STATUS_OK;
    return fail(f, STATUS_RESOURCE, "%s: it could not be unpacked within %g s", s->name,
                s->limit_s);
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

enum status source_read_all(struct source *s, float *values, struct image_facts *facts,
                            struct failure *f)
{
    const struct image_shape shape = source_shape(s);
    struct image_range plane = {.rows = shape.rows, .cols = shape.cols};
    enum status status = STATUS_OK;
    for (; status == STATUS_OK && plane.plane < shape.planes; plane.plane++)
        status = source_read(s, &plane, values + plane.plane * shape.rows * shape.cols, shape.cols,
                             facts, f);
    return status;
}

void image_facts_merge(struct image_facts *into, const struct image_facts *from)
{
    if (from->max_abs > into->max_abs)
        into->max_abs = from->max_abs;
    into->integers = into->integers && from->integers;
    into->rounded += from->rounded;
    into->nans += from->nans;
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
                " (counted from 0): values must be finite%s",
                s->name, isnan(value) ? "NaN" : "infinity", plane, row, col,
                isnan(value) ? " (--nan zero takes NaNs as 0)" : "");
}

enum status source_open_regular(struct source **out, const struct source_file *kind,
                                const char *path, struct failure *f)
{
    *out = NULL;
    int fd;
    int64_t file_bytes;
    enum status status = regular_open(path, &fd, &file_bytes, f);
    if (status != STATUS_OK)
        return status;
    struct source *s = NULL;
    status = source_new(&s, kind->size, kind->operations, path, f);
    if (status != STATUS_OK) {
        close(fd);
        return status;
    }
    status = kind->prepare(s, fd, file_bytes, f);
    if (status != STATUS_OK)
        source_close(s);
    else
        *out = s;
    return status;
}

bool source_beyond_zlib(int64_t bytes, int64_t file_bytes)
{
    enum { ZLIB_BEST_RATIO = 1032 };
    return bytes / ZLIB_BEST_RATIO > file_bytes;
}
