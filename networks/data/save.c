/* Writes the training samples as .npy files, which --data and --labels read, as does NumPy. */
#include "harness/image/image.h"
#include "harness/machine/memory.h"
#include "networks/data/data.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* N x C x H x W, or N x values. */
static enum status write_images(const struct data *d, const char *path, struct failure *f)
{
    const struct data_part *p = &d->parts[DATA_TRAIN];
    const struct tensor_shape s = d->shape;
    const bool vectors = s.rows == 1 && s.cols == 1;
    const struct sink_map images = {
        .shape = {p->count * s.channels, s.rows, s.cols}, .batch = p->count, .elements = p->images};
    return vectors ? sink_write(path, (struct image_shape){1, p->count, s.channels}, p->images,
                                NULL, 0, f)
                   : sink_write_batch(path, &images, NULL, 0, f);
}

/* N x 1 classes, or N x outputs values. */
static enum status write_targets(const struct data *d, const char *path, struct failure *f)
{
    const struct data_part *p = &d->parts[DATA_TRAIN];
    const struct image_shape shape = {1, p->count, d->classes ? 1 : d->outputs};
    float *classes = NULL;
    enum status status = STATUS_OK;
    if (d->classes)
        status = memory_allocate((void **)&classes, (size_t)p->count * sizeof *classes,
                                 "the classes", f);
    for (int64_t i = 0; classes && i < p->count; i++)
        classes[i] = (float)p->labels[i];
    if (status == STATUS_OK)
        status = sink_write(path, shape, d->classes ? classes : p->values, NULL, 0, f);
    free(classes);
    return status;
}

enum status data_save(const struct data *d, const char *prefix, struct failure *f)
{
    char images[PATH_MAX], targets[PATH_MAX];
    snprintf(images, sizeof images, "%s.images.npy", prefix);
    if (snprintf(targets, sizeof targets, "%s.targets.npy", prefix) >= (int)sizeof targets)
        return fail(f, STATUS_OUTPUT, "--save-data: its name is longer than a path may be");
    const enum status status = write_images(d, images, f);
    return status == STATUS_OK ? write_targets(d, targets, f) : status;
}
