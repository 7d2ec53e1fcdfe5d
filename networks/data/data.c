#include "networks/data/data.h"

#include "harness/base/digest.h"
#include "harness/base/text/integer.h"
#include "harness/image/folder.h"
#include "harness/image/image.h"
#include "harness/machine/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct data_row {
    const char *name;
    enum status (*open)(struct data *d, const struct data_request *r, struct failure *f);
};

static const struct data_row rows[] = {
    {"brain_planes", data_brain_planes}, {"solar", data_solar}, {"random", data_random}};

static const struct data_row *find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static enum status check(const struct data *d, const struct data_request *r, struct failure *f)
{
    const int64_t count = d->parts[DATA_TRAIN].count;
    if (memcmp(&d->shape, &r->input, sizeof d->shape) != 0)
        return fail(f, STATUS_USAGE,
                    "--data %s has images of %lld x %lld x %lld, the network takes %lld x %lld x "
                    "%lld",
                    d->name, (long long)d->shape.channels, (long long)d->shape.rows,
                    (long long)d->shape.cols, (long long)r->input.channels,
                    (long long)r->input.rows, (long long)r->input.cols);
    if (d->outputs != r->outputs)
        return fail(f, STATUS_USAGE, "--data %s has %lld %s, the network %lld outputs", d->name,
                    (long long)d->outputs, d->classes ? "classes" : "values a sample",
                    (long long)r->outputs);
    if (count < r->batch)
        return fail(f, STATUS_USAGE,
                    "--data %s has %lld samples to train with, fewer than a --batch of %lld",
                    d->name, (long long)count, (long long)r->batch);
    return STATUS_OK;
}

/* ---- a part of the samples ---------------------------------------------------------------------
 */

void data_shuffle(uint64_t key, int64_t *order, int64_t count)
{
    for (int64_t i = 0; i < count; i++) { /* Fisher and Yates, from the inside out */
        const int64_t j = (int64_t)(digest_mix(key + (uint64_t)i) % (uint64_t)(i + 1));
        order[i] = order[j];
        order[j] = i;
    }
}

enum status data_read_split(const char *text, int64_t counts[DATA_PARTS], struct failure *f)
{
    const char *at = text;
    bool good = true;
    for (int i = 0; good && i < DATA_PARTS; i++) {
        good = integer_take(&at, i == DATA_TRAIN, INT32_MAX - 1, &counts[i]) &&
               *at++ == (i + 1 < DATA_PARTS ? ',' : '\0');
    }
    return good ? STATUS_OK
                : fail(f, STATUS_USAGE,
                       "--split '%s': images for training, validation and test, such as 245,28,99",
                       text);
}

/* Keeps `count` samples of a part, chosen by the seed, in their order. */
static enum status keep_some(struct data *d, enum data_parts part, int64_t count, uint64_t seed,
                             struct failure *f)
{
    struct data_part *p = &d->parts[part];
    const int64_t elements = tensor_elements(d->shape);
    int64_t *order = malloc((size_t)p->count * sizeof *order), kept = 0;
    if (!order)
        return fail(f, STATUS_RESOURCE, "no memory for %lld samples", (long long)p->count);
    data_shuffle(digest_mix(seed + (uint64_t)part), order, p->count);
    for (int64_t i = 0; i < p->count; i++) {
        if (order[i] >= count)
            continue;
        memmove(p->images + kept * elements, p->images + i * elements,
                (size_t)elements * sizeof(float));
        p->labels[kept++] = p->labels[i];
    }
    p->count = kept;
    free(order);
    return STATUS_OK;
}

/* Takes so many samples of each part; they stay in the part that they are of. */
static enum status take_split(struct data *d, const struct data_request *r, struct failure *f)
{
    static const char *const names[DATA_PARTS] = {"training", "validation", "test"};
    int64_t counts[DATA_PARTS];
    enum status status = data_read_split(r->split, counts, f);
    if (status == STATUS_OK && !d->classes)
        return fail(f, STATUS_USAGE, "--split: the samples of --data %s have no classes", d->name);
    for (int i = 0; status == STATUS_OK && i < DATA_PARTS; i++) {
        if (counts[i] > d->parts[i].count)
            return fail(f, STATUS_USAGE, "--split %s: --data %s has %lld images for %s", r->split,
                        d->name, (long long)d->parts[i].count, names[i]);
        if (counts[i] < d->parts[i].count)
            status = keep_some(d, (enum data_parts)i, counts[i], r->seed, f);
    }
    return status;
}

enum status data_open(struct data *d, const struct data_request *request, struct failure *f)
{
    const struct data_row *row = find(request->name);
    const bool folder = !row && folder_is_one(request->name);
    *d = (struct data){.name = request->name, .shape = request->input, .outputs = request->outputs};
    if (row && request->labels)
        return fail(f, STATUS_USAGE, "--labels goes with --data FILE.npy, not with --data %s",
                    request->name);
    if (folder && request->labels)
        return fail(f, STATUS_USAGE,
                    "--labels goes with --data FILE.npy: in a folder a subfolder is a class");
    if (!folder && (request->validation_share > 0.0 || request->test_share > 0.0))
        return fail(f, STATUS_USAGE,
                    "--validation-share and --test-share divide a folder of pictures; --data %s is "
                    "none",
                    request->name);
    enum status status = row      ? row->open(d, request, f)
                         : folder ? data_folder(d, request, f)
                                  : data_files(d, request, f);
    if (status == STATUS_OK && request->split && !folder)
        status = take_split(d, request, f);
    return status == STATUS_OK ? check(d, request, f) : status;
}

enum status data_name_class(struct data *d, const char *name, struct failure *f)
{
    char **grown = realloc(d->class_names, (size_t)(d->named + 1) * sizeof *grown);
    if (grown)
        d->class_names = grown;
    char *copy = grown ? strdup(name) : NULL;
    if (!copy)
        return fail(f, STATUS_RESOURCE, "no memory for the names of classes");
    d->class_names[d->named++] = copy;
    return STATUS_OK;
}

void data_release(struct data *d)
{
    for (int64_t i = 0; i < d->named; i++)
        free(d->class_names[i]);
    free(d->class_names);
    d->class_names = NULL;
    d->named = 0;
    for (int i = 0; i <= DATA_SERIES; i++) {
        free(d->parts[i].images);
        free(d->parts[i].labels);
        free(d->parts[i].values);
        free(d->parts[i].persistence);
        free(d->parts[i].predicted);
        d->parts[i] = (struct data_part){0};
    }
}

enum status data_allocate(struct data *d, enum data_parts part, int64_t count, struct failure *f)
{
    struct data_part *p = &d->parts[part];
    const size_t elements = memory_multiply((size_t)count, (size_t)tensor_elements(d->shape));
    enum status status = memory_allocate((void **)&p->images,
                                         memory_multiply(elements, sizeof(float)), "the images", f);
    const size_t targets = memory_multiply((size_t)count, d->classes ? 1 : (size_t)d->outputs);
    void **to = d->classes ? (void **)&p->labels : (void **)&p->values;
    if (status == STATUS_OK)
        status = memory_allocate(to, memory_multiply(targets, sizeof(float)), "the targets", f);
    p->count = status == STATUS_OK ? count : 0;
    return status;
}

enum status data_read(const char *path, float **values, struct image_shape *shape,
                      struct failure *f)
{
    struct source *source;
    *values = NULL;
    *shape = (struct image_shape){0};
    enum status status = source_open_file(&source, path, f);
    if (status != STATUS_OK)
        return status;
    const struct image_shape s = *shape = source_shape(source);
    const int64_t elements = s.rows * s.cols;
    status = memory_allocate((void **)values,
                             memory_multiply((size_t)(s.planes * elements), sizeof(float)),
                             "a data set", f);
    for (int64_t p = 0; status == STATUS_OK && p < s.planes; p++) {
        const struct image_range plane = {p, 0, s.rows, 0, s.cols};
        status = source_read(source, &plane, *values + p * elements, s.cols, NULL, f);
    }
    source_close(source);
    if (status != STATUS_OK) {
        free(*values);
        *values = NULL;
    }
    return status;
}

enum status data_labels(const char *path, const float *values, int64_t count, int64_t classes,
                        int32_t *labels, struct failure *f)
{
    for (int64_t i = 0; i < count; i++) {
        if (!(values[i] >= 0.0f && values[i] < (float)classes && values[i] == floorf(values[i])))
            return fail(f, STATUS_USAGE, "%s: label %lld is %g, where classes are 0 to %lld", path,
                        (long long)i, (double)values[i], (long long)classes - 1);
        labels[i] = (int32_t)values[i];
    }
    return STATUS_OK;
}

uint64_t data_hash(const struct data *d)
{
    const struct data_part *p = &d->parts[DATA_TRAIN];
    const int64_t elements = p->count * tensor_elements(d->shape);
    uint64_t sum = digest_range(p->images, 0, elements);
    if (p->values)
        return sum + digest_range(p->values, elements, p->count * d->outputs);
    for (int64_t i = 0; i < p->count; i++)
        sum += digest_value(elements + i, (float)p->labels[i]);
    return sum;
}
