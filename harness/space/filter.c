#include "harness/machine/memory.h"
#include "harness/space/operation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Keeps the filter's random stream apart from the image's, which has the same seed. */
static const uint64_t filter_stream = UINT64_C(0x46494c544552);

static void fill_identity(float *values, int64_t order)
{
    memset(values, 0, (size_t)order * (size_t)order * sizeof *values);
    for (int64_t i = 0; i < order; i++)
        values[i * order + i] = 1.0f;
}

/* Integers -9 .. 9. */
static void fill_random(float *values, int64_t order, uint64_t seed)
{
    const int64_t cells = order * order;
    random_cells(seed ^ filter_stream, 18, 0, cells, values);
    for (int64_t i = 0; i < cells; i++)
        values[i] -= 9.0f;
}

static enum status read_file(float *values, const char *path, int64_t order, struct failure *f)
{
    struct source *source;
    enum status status = source_open_file(&source, path, f);
    if (status != STATUS_OK)
        return status;
    const struct image_shape shape = source_shape(source);
    const struct image_range all = {.rows = order, .cols = order};
    if (shape.planes != 1 || shape.rows != order || shape.cols != order)
        status = fail(f, STATUS_USAGE,
                      "--filter %s: the filter must be %lld x %lld, the file holds %lld planes of "
                      "%lld x %lld",
                      path, (long long)order, (long long)order, (long long)shape.planes,
                      (long long)shape.rows, (long long)shape.cols);
    else
        status = source_read(source, &all, values, order, NULL, f);
    source_close(source);
    return status;
}

/* Sets what follows from the values. */
static void describe(struct filter *filter)
{
    const int64_t order = filter->order;
    filter->identity = filter->integers = true;
    filter->max_abs = 0.0;
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j < order; j++) {
            const float value = filter->values[i * order + j];
            filter->identity = filter->identity && value == (i == j ? 1.0f : 0.0f);
            filter->integers = filter->integers && value == truncf(value);
            filter->max_abs = fmax(filter->max_abs, fabs((double)value));
        }
}

enum status filter_make(struct filter *out, const char *kind, int64_t order, uint64_t seed,
                        struct failure *f)
{
    *out = (struct filter){.order = order, .name = kind};
    if (geometry_cells(1, order, order) < 0)
        return fail(f, STATUS_RESOURCE, "a filter of %lld x %lld values cannot be counted in bytes",
                    (long long)order, (long long)order);
    enum status status = memory_allocate((void **)&out->values,
                                         (size_t)(order * order) * sizeof(float), "the filter", f);
    if (status != STATUS_OK)
        return status;
    if (strcmp(kind, "identity") == 0)
        fill_identity(out->values, order);
    else if (strcmp(kind, "random") == 0)
        fill_random(out->values, order, seed);
    else
        status = read_file(out->values, kind, order, f);
    if (status == STATUS_OK)
        describe(out);
    else
        filter_release(out);
    return status;
}

enum status filter_share(struct filter *filter, const struct processes *p, bool values,
                         struct failure *f)
{
    if (!p)
        return STATUS_OK;
    struct filter told = *filter;
    processes_share(p, &told, sizeof told);
    told.values = filter->values;
    told.name = filter->name;
    *filter = told;
    if (!values)
        return STATUS_OK;
    const size_t bytes = (size_t)(told.order * told.order) * sizeof(float);
    enum status status = STATUS_OK;
    if (!filter->values)
        status = memory_allocate((void **)&filter->values, bytes, "the filter", f);
    status = processes_agree(p, status, f);
    if (status == STATUS_OK)
        processes_share(p, filter->values, bytes);
    return status;
}

void filter_release(struct filter *filter)
{
    free(filter->values);
    filter->values = NULL;
}
