/* Reads and writes a network's parameters in safetensors files, by their names. */
#include "networks/parameters.h"
#include "networks/safetensors.h"

#include <stdlib.h>
#include <string.h>

static void shape_text(int dimensions, const int64_t *lengths, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "%s", dimensions == 0 ? "a single number" : "");
    for (int i = 0; i < dimensions && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", i > 0 ? " x " : "",
                                 (long long)lengths[i]);
}

static enum status check_shape(const struct safetensors *file, const struct safetensors_entry *e,
                               const struct parameter_tensor *t, struct failure *f)
{
    char held[160], wanted[160];
    if (e->dimensions == t->dimensions &&
        memcmp(e->shape, t->lengths, (size_t)t->dimensions * sizeof *t->lengths) == 0)
        return STATUS_OK;
    shape_text(e->dimensions < SAFETENSORS_DIMENSIONS ? e->dimensions : SAFETENSORS_DIMENSIONS,
               e->shape, held, sizeof held);
    shape_text(t->dimensions, t->lengths, wanted, sizeof wanted);
    return fail(f, STATUS_USAGE, "%s: tensor %s is %s%s where the network has %s", file->path,
                e->name, held, e->dimensions > SAFETENSORS_DIMENSIONS ? " x ..." : "", wanted);
}

/* Sets `name` to the prefix followed by the tensor's name. */
static void name_of(const struct layer *l, const struct parameter_tensor *t, const char *prefix,
                    char *name)
{
    char bare[2 * LAYER_NAME];
    parameter_name(l, t, bare, sizeof bare);
    snprintf(name, SAFETENSORS_NAME, "%.64s%s", prefix, bare);
}

/* Names a tensor whose name has only a prefix more, as programs write that wrap a network. */
static enum status no_tensor(const struct safetensors *file, const struct network *n,
                             const char *name, struct failure *f)
{
    const size_t length = strlen(name);
    char like[SAFETENSORS_NAME + 40] = "";
    for (size_t i = 0; i < file->count && !like[0]; i++) {
        const char *found = file->entries[i].name;
        const size_t longer = strlen(found);
        if (longer > length && found[longer - length - 1] == '.' &&
            strcmp(found + longer - length, name) == 0)
            snprintf(like, sizeof like, "; %s has a prefix that it must not have", found);
    }
    return fail(f, STATUS_USAGE, "%s: there is no tensor %s, which network %s has%s", file->path,
                name, n->name, like);
}

static enum status read_tensor(const struct safetensors *file, const struct network *n,
                               const struct layer *l, int i, const char *prefix, float *values,
                               int64_t *rounded, struct failure *f)
{
    char name[SAFETENSORS_NAME];
    const struct parameter_tensor t = layer_parameter(l, i);
    name_of(l, &t, prefix, name);
    const struct safetensors_entry *e = safetensors_find(file, name);
    if (!e)
        return no_tensor(file, n, name, f);
    const enum status status = check_shape(file, e, &t, f);
    return status == STATUS_OK ? safetensors_read(file, e, values + l->offset[i], rounded, f)
                               : status;
}

enum status parameters_read_from(const struct safetensors *file, const struct network *n,
                                 const char *prefix, float *values, int64_t *rounded,
                                 struct failure *f)
{
    enum status status = STATUS_OK;
    for (int l = 0; status == STATUS_OK && l < n->count; l++)
        for (int i = 0; status == STATUS_OK && i < layer_parameter_count(&n->layers[l]); i++)
            status = read_tensor(file, n, &n->layers[l], i, prefix, values, rounded, f);
    return status;
}

enum status parameters_read(const struct network *n, const char *path, float *values,
                            int64_t *rounded, struct failure *f)
{
    struct safetensors file;
    enum status status = safetensors_open(&file, path, f);
    if (status != STATUS_OK)
        return status;
    status = parameters_read_from(&file, n, "", values, rounded, f);
    safetensors_close(&file);
    return status;
}

size_t parameters_tensors(const struct network *n)
{
    size_t count = 0;
    for (int l = 0; l < n->count; l++)
        count += (size_t)layer_parameter_count(&n->layers[l]);
    return count;
}

size_t parameters_list(const struct network *n, const char *prefix, const float *values,
                       struct safetensors_tensor *to)
{
    size_t count = 0;
    for (int l = 0; l < n->count; l++)
        for (int i = 0; i < layer_parameter_count(&n->layers[l]); i++, to++, count++) {
            const struct parameter_tensor t = layer_parameter(&n->layers[l], i);
            name_of(&n->layers[l], &t, prefix, to->name);
            to->dimensions = t.dimensions;
            memcpy(to->shape, t.lengths, sizeof t.lengths);
            to->values = values + n->layers[l].offset[i];
        }
    return count;
}

enum status parameters_write(const struct network *n, const char *path, const float *values,
                             struct failure *f)
{
    struct safetensors_tensor *tensors = calloc(parameters_tensors(n) + 1, sizeof *tensors);
    if (!tensors)
        return fail(f, STATUS_RESOURCE, "%s: no memory for its header", path);
    const enum status status =
        safetensors_write(path, tensors, parameters_list(n, "", values, tensors), f);
    free(tensors);
    return status;
}
