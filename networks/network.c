#include "networks/network.h"

#include "kernels/geometry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void network_begin(struct network *n, const char *name, struct tensor_shape input)
{
    *n = (struct network){.input = input};
    snprintf(n->name, sizeof n->name, "%s", name);
}

void network_release(struct network *n)
{
    free(n->layers);
    n->layers = NULL;
    n->count = n->capacity = 0;
}

/* ---- adding layers ----------------------------------------------------------------------------
 */

static enum status reserve(struct network *n, struct failure *f)
{
    if (n->count < n->capacity)
        return STATUS_OK;
    const int capacity = n->capacity > 0 ? 2 * n->capacity : 32;
    struct layer *grown = realloc(n->layers, (size_t)capacity * sizeof *grown);
    if (!grown)
        return fail(f, STATUS_RESOURCE, "no memory for %d layers", capacity);
    n->layers = grown;
    n->capacity = capacity;
    return STATUS_OK;
}

static struct tensor_shape output_of(const struct network *n, int layer)
{
    return layer == NETWORK_INPUT ? n->input : n->layers[layer].out;
}

static enum status infer(const struct network *n, struct layer *l, struct failure *f)
{
    struct failure why = {0};
    l->in = output_of(n, l->input);
    if (l->kind->two) {
        const struct tensor_shape other = output_of(n, l->other);
        if (memcmp(&l->in, &other, sizeof other) != 0)
            return fail(f, STATUS_USAGE, "network %s: %s: its two inputs differ in shape", n->name,
                        l->name);
    }
    const enum status status = l->kind->shape(l, &why);
    if (status != STATUS_OK)
        return fail(f, status, "network %s, images of %lld x %lld: %s: %s", n->name,
                    (long long)n->input.rows, (long long)n->input.cols, l->name, why.message);
    if (geometry_elements(l->out.channels, l->out.rows, l->out.cols) < 0)
        return fail(f, STATUS_RESOURCE, "network %s: %s: its output cannot be counted in bytes",
                    n->name, l->name);
    return STATUS_OK;
}

static enum status count_parameters(struct network *n, struct layer *l, struct failure *f)
{
    for (int i = 0; i < layer_parameter_count(l); i++) {
        const struct parameter_tensor t = layer_parameter(l, i);
        const int64_t floats = parameter_floats(&t);
        int64_t all;
        if (floats < 0 || __builtin_add_overflow(n->floats, floats, &all) ||
            geometry_elements(all, 1, 1) < 0)
            return fail(f, STATUS_RESOURCE,
                        "network %s: %s: its parameters cannot be counted in bytes", n->name,
                        l->name);
        l->offset[i] = n->floats;
        n->floats = all;
        n->parameters += t.trained ? floats : 0;
    }
    return STATUS_OK;
}

int network_add(struct network *n, const struct layer *layer)
{
    struct layer l = *layer;
    enum status status = n->failure.status;
    if (status == STATUS_OK)
        status = reserve(n, &n->failure);
    if (status == STATUS_OK)
        status = infer(n, &l, &n->failure);
    if (status == STATUS_OK)
        status = count_parameters(n, &l, &n->failure);
    if (status != STATUS_OK)
        return NETWORK_INPUT;
    n->layers[n->count] = l;
    return n->count++;
}

enum status network_finish(struct network *n, struct failure *f)
{
    if (n->failure.status != STATUS_OK)
        return fail(f, n->failure.status, "%s", n->failure.message);
    return n->count > 0 ? STATUS_OK : fail(f, STATUS_USAGE, "network %s has no layer", n->name);
}

/* ---- properties -------------------------------------------------------------------------------
 */

int network_source(const struct network *n, int layer)
{
    while (layer != NETWORK_INPUT && n->layers[layer].kind->role == ROLE_NOTHING)
        layer = n->layers[layer].input;
    return layer;
}

int network_readers(const struct network *n, int layer)
{
    int count = 0;
    for (int i = 0; i < n->count; i++) {
        const struct layer *l = &n->layers[i];
        if (l->kind->role == ROLE_NOTHING)
            continue;
        count += network_source(n, l->input) == layer;
        count += l->kind->two && network_source(n, l->other) == layer;
    }
    return count;
}

enum status network_keep_features(struct network *n, struct failure *f)
{
    if (n->classifier == 0)
        return fail(f, STATUS_USAGE, "--features: network %s has no classifier", n->name);
    n->count = n->classifier;
    n->floats = n->parameters = 0;
    for (int i = 0; i < n->count; i++) {
        const enum status status = count_parameters(n, &n->layers[i], f);
        if (status != STATUS_OK)
            return status;
    }
    n->classifier = 0;
    return STATUS_OK;
}

struct tensor_shape network_output(const struct network *n)
{
    return n->layers[n->count - 1].out;
}

static double layer_multiply_adds(const struct layer *l)
{
    return l->kind->multiply_adds ? l->kind->multiply_adds(l) : 0.0;
}

double network_multiply_adds(const struct network *n)
{
    double sum = 0.0;
    for (int i = 0; i < n->count; i++)
        sum += layer_multiply_adds(&n->layers[i]);
    return sum;
}

double network_training_multiply_adds(const struct network *n)
{
    int first = 0;
    while (first + 1 < n->count && !n->layers[first].kind->multiply_adds)
        first++;
    return 3.0 * network_multiply_adds(n) - layer_multiply_adds(&n->layers[first]);
}

/* ---- parameters -------------------------------------------------------------------------------
 */

int layer_parameter_count(const struct layer *l)
{
    struct parameter_tensor t;
    int count = 0;
    while (l->kind->parameter && count < LAYER_PARAMETERS && l->kind->parameter(l, count, &t))
        count++;
    return count;
}

struct parameter_tensor layer_parameter(const struct layer *l, int i)
{
    struct parameter_tensor t = {0};
    l->kind->parameter(l, i, &t);
    return t;
}

int64_t parameter_floats(const struct parameter_tensor *t)
{
    int64_t floats = 1;
    for (int d = 0; d < t->dimensions; d++)
        if (__builtin_mul_overflow(floats, t->lengths[d], &floats))
            return -1;
    return geometry_elements(floats, 1, 1);
}

int64_t layer_trained_floats(const struct layer *l)
{
    int64_t sum = 0;
    for (int i = 0; i < layer_parameter_count(l); i++) {
        const struct parameter_tensor t = layer_parameter(l, i);
        sum += t.trained ? parameter_floats(&t) : 0;
    }
    return sum;
}

void parameter_name(const struct layer *l, const struct parameter_tensor *t, char *text,
                    size_t size)
{
    snprintf(text, size, "%s.%s", l->name, t->suffix);
}
