/* Reads images and targets from .npy files: N x C x H x W, or N x values for networks that take
 * vectors; and N labels, or N x outputs values if the network's outputs are no classes. */
#include "networks/data/data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Vectors are rows of the file, or images with one element per channel. */
static bool fits(struct image_shape s, struct tensor_shape input)
{
    if (input.rows == 1 && input.cols == 1 && s.cols == input.channels)
        return true;
    return s.rows == input.rows && s.cols == input.cols && s.planes % input.channels == 0;
}

static enum status read_images(struct data *d, const struct data_request *r, struct failure *f)
{
    struct image_shape shape;
    float *values;
    enum status status = data_read(r->name, &values, &shape, f);
    const int64_t count = data_elements(shape);
    if (status == STATUS_OK && !fits(shape, r->input))
        status =
            fail(f, STATUS_USAGE,
                 "%s: it has %lld planes of %lld x %lld, where the network takes images of "
                 "%lld x %lld x %lld",
                 r->name, (long long)shape.planes, (long long)shape.rows, (long long)shape.cols,
                 (long long)r->input.channels, (long long)r->input.rows, (long long)r->input.cols);
    if (status == STATUS_OK)
        status = data_allocate(d, DATA_TRAIN, count / tensor_elements(r->input), f);
    if (status == STATUS_OK)
        memcpy(d->parts[DATA_TRAIN].images, values, (size_t)count * sizeof *values);
    free(values);
    return status;
}

enum status data_files(struct data *d, const struct data_request *r, struct failure *f)
{
    struct image_shape shape = {0};
    float *values = NULL;
    if (access(r->name, F_OK) != 0)
        return fail(f, STATUS_USAGE,
                    "--data %s: %s; it is a folder, an .npy file, brain_planes, solar or random",
                    r->name, strerror(errno));
    if (!r->labels)
        return fail(
            f, STATUS_USAGE,
            "--data %s: its targets are asked for by --labels FILE.npy (or name brain_planes, "
            "solar or random)",
            r->name);
    d->classes = r->outputs > 1;
    enum status status = read_images(d, r, f);
    struct data_part *p = &d->parts[DATA_TRAIN];
    if (status == STATUS_OK)
        status = data_read(r->labels, &values, &shape, f);
    const int64_t count = data_elements(shape);
    const int64_t wanted = p->count * (d->classes ? 1 : d->outputs);
    if (status == STATUS_OK && count != wanted)
        status = fail(f, STATUS_USAGE, "%s: %lld values where %lld images take %lld", r->labels,
                      (long long)count, (long long)p->count, (long long)wanted);
    if (status == STATUS_OK && d->classes)
        status = data_labels(r->labels, values, count, d->outputs, p->labels, f);
    else if (status == STATUS_OK)
        memcpy(p->values, values, (size_t)count * sizeof *values);
    free(values);
    return status;
}
