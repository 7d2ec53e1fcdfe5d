/* Brain slices whose class is their plane: axial, coronal, sagittal. data/brain_planes/README.md
 * says where the images come from. */
#include "networks/data/data.h"

#include "harness/base/suite_files.h"

#include <stdio.h>
#include <stdlib.h>

enum { CLASSES = 3, SIDE = 32 };

static enum status read_labels(struct data *d, enum data_parts part, const char *path,
                               struct failure *f)
{
    float *values;
    struct image_shape shape;
    enum status status = data_read(path, &values, &shape, f);
    const int64_t count = data_elements(shape);
    if (status == STATUS_OK && count != d->parts[part].count)
        status = fail(f, STATUS_USAGE, "%s: %lld labels for %lld images", path, (long long)count,
                      (long long)d->parts[part].count);
    if (status == STATUS_OK)
        status = data_labels(path, values, count, CLASSES, d->parts[part].labels, f);
    free(values);
    return status;
}

/* Reads a part. Gray values 0 .. 255 become 0 .. 1, in every channel. */
static enum status read_part(struct data *d, enum data_parts part, const char *name,
                             struct failure *f)
{
    char path[PATH_MAX], file[64];
    float *values;
    struct image_shape shape;
    snprintf(file, sizeof file, "brain_planes/%s_images.npy", name);
    enum status status = suite_data(path, file, f);
    if (status == STATUS_OK)
        status = data_read(path, &values, &shape, f);
    if (status != STATUS_OK)
        return status;
    const int64_t count = data_elements(shape);
    if (shape.rows != SIDE || shape.cols != SIDE)
        status = fail(f, STATUS_USAGE, "%s: its images have %lld x %lld pixels instead of %d x %d",
                      path, (long long)shape.rows, (long long)shape.cols, SIDE, SIDE);
    if (status == STATUS_OK)
        status = data_allocate(d, part, count / (SIDE * SIDE), f);
    const int64_t elements = SIDE * SIDE, channels = d->shape.channels;
    for (int64_t i = 0; status == STATUS_OK && i < count * channels; i++)
        d->parts[part].images[i] =
            values[i / (channels * elements) * elements + i % elements] / 255.0f;
    free(values);
    snprintf(file, sizeof file, "brain_planes/%s_labels.npy", name);
    if (status == STATUS_OK)
        status = suite_data(path, file, f);
    return status == STATUS_OK ? read_labels(d, part, path, f) : status;
}

enum status data_brain_planes(struct data *d, const struct data_request *r, struct failure *f)
{
    static const char *const names[DATA_PARTS] = {"train", "validation", "test"};
    static const char *const planes[CLASSES] = {"axial", "coronal", "sagittal"};
    enum status status = STATUS_OK;
    /* A network with more outputs than classes learns to use only the first ones. */
    d->shape = (struct tensor_shape){r->input.channels == 3 ? 3 : 1, SIDE, SIDE};
    d->outputs = r->outputs > CLASSES ? r->outputs : CLASSES;
    d->classes = true;
    for (int i = 0; status == STATUS_OK && i < CLASSES; i++)
        status = data_name_class(d, planes[i], f);
    for (int i = 0; status == STATUS_OK && i < DATA_PARTS; i++)
        status = read_part(d, (enum data_parts)i, names[i], f);
    return status;
}
