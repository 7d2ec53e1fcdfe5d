#include "harness/machine/memory.h"
#include "harness/space/operation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Separates the operand's random stream from the image's, which has the same seed. */
static const uint64_t operand_stream = UINT64_C(0x46494c544552);

static bool is_square(struct image_shape s)
{
    return s.planes == 1 && s.rows == s.cols;
}

static enum status fill_identity(float *values, const struct operand_row *row,
                                 struct image_shape shape, struct failure *f)
{
    if (!is_square(shape))
        return fail(f, STATUS_USAGE, "--%s identity: there is none of %lld planes of %lld x %lld",
                    row->option, (long long)shape.planes, (long long)shape.rows,
                    (long long)shape.cols);
    memset(values, 0, (size_t)shape_elements(shape) * sizeof *values);
    for (int64_t i = 0; i < shape.rows; i++)
        values[i * shape.cols + i] = 1.0f;
    return STATUS_OK;
}

/* Integers -9 .. 9. */
static void fill_random(float *values, int64_t elements, uint64_t seed)
{
    random_elements(seed ^ operand_stream, 18, 0, elements, values);
    for (int64_t i = 0; i < elements; i++)
        values[i] -= 9.0f;
}

static bool same_shape(struct image_shape a, struct image_shape b)
{
    return a.planes == b.planes && a.rows == b.rows && a.cols == b.cols;
}

/* Writes "64 x 3 planes of 7 x 7"; the numbers of planes only if there are several. */
static void shape_text(struct image_shape s, int64_t count, char *text, size_t size)
{
    char planes[64] = "";
    if (count > 1)
        snprintf(planes, sizeof planes, "%lld x %lld planes of ", (long long)count,
                 (long long)(s.planes / count));
    else if (s.planes > 1)
        snprintf(planes, sizeof planes, "%lld planes of ", (long long)s.planes);
    snprintf(text, size, "%s%lld x %lld", planes, (long long)s.rows, (long long)s.cols);
}

/* Compares the file's shape with the wanted one: planes of `shape`, and `count` as the first of
 * four dimensions. */
static enum status check_shape(const struct source *source, const char *path,
                               const struct operand_row *row, struct image_shape shape,
                               int64_t count, struct failure *f)
{
    char wanted[128], found[128];
    if (same_shape(source_shape(source), shape) && source_batch(source) == count)
        return STATUS_OK;
    shape_text(shape, count, wanted, sizeof wanted);
    shape_text(source_shape(source), source_batch(source), found, sizeof found);
    return fail(f, STATUS_USAGE, "--%s %s: the %s must be %s, the file holds %s", row->option, path,
                row->noun, wanted, found);
}

static enum status read_file(float *values, const char *path, const struct operand_row *row,
                             struct image_shape shape, int64_t count, struct failure *f)
{
    struct source *source;
    enum status status = source_open_file(&source, path, f);
    if (status != STATUS_OK)
        return status;
    status = check_shape(source, path, row, shape, count, f);
    if (status == STATUS_OK)
        status = source_read_all(source, values, NULL, f);
    source_close(source);
    return status;
}

/* Sets the properties that follow from the values. */
static void describe(struct operand *operand)
{
    const struct image_shape s = operand->shape;
    operand->identity = is_square(s);
    operand->integers = true;
    operand->max_abs = 0.0;
    for (int64_t i = 0; i < shape_elements(s); i++) {
        const float value = operand->values[i], one = i / s.cols == i % s.cols ? 1.0f : 0.0f;
        operand->identity = operand->identity && value == one;
        operand->integers = operand->integers && value == truncf(value);
        operand->max_abs = fmax(operand->max_abs, fabs((double)value));
    }
}

bool operand_is_file(const struct operand_row *row, const char *name)
{
    const size_t length = strlen(name);
    for (const char *word = row->argument; *word; word += *word == '|') {
        const size_t span = strcspn(word, "|");
        if (span == length && strncmp(word, name, length) == 0)
            return false;
        word += span;
    }
    return true;
}

/* Takes from the file what the operand leaves open: the number of rows, and whether it has one
 * plane for all planes of the image or as many as the image. */
static enum status ask_shape(const char *path, const struct operand_row *row,
                             const struct operation *op, struct image_shape *shape,
                             struct failure *f)
{
    struct source *source;
    const enum status status = source_open_file(&source, path, f);
    if (status != STATUS_OK)
        return status;
    if (row->any_rows)
        shape->rows = source_shape(source).rows;
    if (row->one_or_all && source_shape(source).planes > 1)
        shape->planes = op->image.planes;
    source_close(source);
    return STATUS_OK;
}

enum status operand_make(struct operand *out, const struct operand_row *row,
                         const struct operation *op, struct source *image, uint64_t seed,
                         struct failure *f)
{
    const char *kind = out->name;
    struct image_shape shape = row->shape(op);
    enum status status = (row->any_rows || row->one_or_all) && operand_is_file(row, kind)
                             ? ask_shape(kind, row, op, &shape, f)
                             : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    *out = (struct operand){
        .shape = shape, .name = kind, .itself = strcmp(kind, "itself") == 0 && row->any_rows};
    if (strcmp(kind, "none") == 0)
        return STATUS_OK;
    const int64_t elements = geometry_elements(shape.planes, shape.rows, shape.cols);
    if (elements < 0)
        return fail(f, STATUS_RESOURCE,
                    "a %s of %lld planes of %lld x %lld values cannot be counted in bytes",
                    row->noun, (long long)shape.planes, (long long)shape.rows,
                    (long long)shape.cols);
    char what[40];
    snprintf(what, sizeof what, "the %s", row->noun);
    status = memory_allocate((void **)&out->values, (size_t)elements * sizeof(float), what, f);
    if (status != STATUS_OK)
        return status;
    if (out->itself)
        status = source_read_all(image, out->values, NULL, f);
    else if (strcmp(kind, "identity") == 0)
        status = fill_identity(out->values, row, shape, f);
    else if (strcmp(kind, "random") == 0)
        fill_random(out->values, elements, seed);
    else
        status = read_file(out->values, kind, row, shape, row->count ? row->count(op) : 1, f);
    if (status == STATUS_OK)
        describe(out);
    else
        operand_release(out);
    return status;
}

enum status operand_broadcast(struct operand *operand, const struct operand_row *row,
                              const struct processes *p, struct failure *f)
{
    if (!p)
        return STATUS_OK;
    struct operand known = *operand;
    processes_broadcast(p, &known, sizeof known);
    known.values = operand->values;
    known.name = operand->name;
    *operand = known;
    if (row->panels || strcmp(known.name, "none") == 0)
        return STATUS_OK;
    const size_t bytes = (size_t)shape_elements(known.shape) * sizeof(float);
    char what[40];
    enum status status = STATUS_OK;
    snprintf(what, sizeof what, "the %s", row->noun);
    if (!operand->values)
        status = memory_allocate((void **)&operand->values, bytes, what, f);
    status = processes_common_status(p, status, f);
    if (status == STATUS_OK)
        processes_broadcast(p, operand->values, bytes);
    return status;
}

void operand_release(struct operand *operand)
{
    free(operand->values);
    operand->values = NULL;
}
