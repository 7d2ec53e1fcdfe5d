#include "tests/support/network_cases.h"

#include "harness/base/digest.h"
#include "harness/image/image.h"
#include "networks/layers/kinds.h"
#include "networks/models/models.h"
#include "networks/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void make_every_kind(struct network *n, int64_t size)
{
    const struct window first = {5, 2, 2}, same = {3, 1, 1}, point = {1, 1, 0};
    network_begin(n, "every_kind", (struct tensor_shape){3, size, size});
    int last = add_conv(n, "first", NETWORK_INPUT, 20, first, 1, false);
    last = add_plain(n, &batchnorm_layer, "norm1", last);
    last = add_plain(n, &relu_layer, "relu1", last);
    const int pool = add_maxpool(n, "pool1", last, (struct window){3, 2, 1});
    const int conv = add_conv(n, "same", pool, 20, same, 1, true);
    last = add_plain(n, &batchnorm_layer, "norm2", conv);
    last = add_sum(n, "taken_in", last, pool);
    const int sum = add_plain(n, &relu_layer, "relu2", last);
    last = add_conv(n, "depthwise", sum, 20, same, 20, true);
    const int six = add_plain(n, &relu6_layer, "six", last);
    const int grouped = add_conv(n, "grouped", six, 20, same, 4, true);
    const int apart = add_sum(n, "apart", six, grouped); /* six has two readers */
    last = add_plain(n, &relu_layer, "alone", apart);    /* apart has two readers too */
    last = add_conv(n, "point", last, 20, point, 1, true);
    last = add_sum(n, "past", last, apart);
    last = add_maxpool(n, "pool2", last, (struct window){2, 2, 0});
    last = add_plain(n, &relu_layer, "relu_of_pool", last);
    last = add_dropout(n, "dropout", last, 0.5);
    const int flat = add_plain(n, &flatten_layer, "flatten", last);
    last = add_linear(n, "dense1", flat, 37);
    last = add_plain(n, &relu_layer, "relu3", last);
    const int again = add_linear(n, "dense2", last, 37);
    last = add_sum(n, "sum_of_vectors", again, last);
    last = add_plain(n, &average_pool_layer, "mean", last);
    n->classifier = add_linear(n, "classes", last, 5);
}

void make_every_trained_kind(struct network *n)
{
    const struct window first = {5, 2, 2}, same = {3, 1, 1}, point = {1, 1, 0}, wide = {3, 2, 0};
    network_begin(n, "every_trained_kind", (struct tensor_shape){2, 19, 17});
    int last = add_conv(n, "first", NETWORK_INPUT, 18, first, 1, true);
    last = add_plain(n, &relu_layer, "relu1", last);
    last = add_maxpool(n, "pool1", last, (struct window){3, 2, 1});
    last = add_conv(n, "same", last, 20, same, 1, true);
    last = add_plain(n, &relu6_layer, "six", last);
    last = add_dropout(n, "dropout1", last, 0.25);
    last = add_conv(n, "grouped", last, 20, same, 4, false);
    last = add_conv(n, "strided", last, 17, wide, 1, true);
    last = add_conv(n, "point", last, 16, point, 1, true);
    last = add_maxpool(n, "pool2", last, (struct window){2, 1, 0});
    last = add_dropout(n, "dropout2", last, 0.5);
    last = add_plain(n, &flatten_layer, "flatten", last);
    last = add_linear(n, "dense1", last, 37);
    last = add_plain(n, &relu_layer, "relu3", last);
    last = add_dropout(n, "dropout3", last, 0.5);
    n->classifier = add_linear(n, "classes", last, 5);
}

static void make_norm(const struct layer *l, uint64_t seed, float *values)
{
    for (int k = 0; k < layer_parameter_count(l); k++)
        for (int64_t c = 0; c < l->in.channels; c++) {
            const uint64_t drawn = digest_mix(seed + (uint64_t)(k * 1000 + c)) % 1000;
            const float unit = (float)drawn / 1000.0f;
            values[l->offset[k] + c] = k == 3   ? 0.5f + unit
                                       : k == 0 ? 0.7f + 0.5f * unit
                                                : unit - 0.5f;
        }
}

float *make_parameters(const struct network *n, uint64_t seed)
{
    float *values = malloc((size_t)n->floats * sizeof *values);
    if (!values)
        abort();
    parameters_seed(n, seed, values);
    for (int i = 0; i < n->count; i++)
        if (n->layers[i].kind == &batchnorm_layer)
            make_norm(&n->layers[i], seed, values);
    return values;
}

float *make_images(const struct network *n, int64_t batch, uint64_t seed)
{
    const int64_t elements = batch * tensor_elements(n->input);
    float *values = malloc((size_t)elements * sizeof *values);
    if (!values)
        abort();
    random_elements(seed, 9, 0, elements, values);
    return values;
}

void fill_batch(struct trainer *t, int64_t turn, int64_t images)
{
    const struct network *n = t->forward.plan.network;
    const int64_t elements = tensor_elements(n->input);
    const int64_t outputs = tensor_elements(network_output(n));
    trainer_place(t, images);
    const int64_t here = t->share.own.count > 0 ? t->share.own.ends[t->share.own.count - 1] : 0;
    const int64_t first = t->share.first_image;
    for (int64_t i = 0; i < here * elements; i++)
        t->share.images[i] =
            (float)(digest_mix((uint64_t)(turn * 1000003 + first * elements + i)) % 1024) / 1024.0f;
    for (int64_t i = 0; i < here; i++) {
        t->share.labels[i] =
            (int32_t)(digest_mix((uint64_t)(turn * 77 + first + i)) % (uint64_t)outputs);
        for (int64_t k = 0; t->share.values && k < outputs; k++)
            t->share.values[i * outputs + k] =
                t->share.images[i * tensor_elements(n->input) + k] - 0.3f;
    }
}

struct network made(const char *name, int64_t image_size)
{
    struct network n;
    struct failure f = {0};
    const struct model_request request = {.name = name, .input = {0, image_size, image_size}};
    if (model_make(&n, &request, &f) != STATUS_OK) {
        fprintf(stderr, "%s\n", f.message);
        abort();
    }
    return n;
}

double distance(const float *found, const float *right, int64_t count)
{
    double largest = 0.0, apart = 0.0;
    for (int64_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs((double)right[i]));
        apart = fmax(apart, fabs((double)found[i] - right[i]));
        if (isnan(found[i]))
            return INFINITY;
    }
    return apart / largest;
}
