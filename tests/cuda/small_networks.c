#include "tests/cuda/small_networks.h"

#include "harness/image/image.h"
#include "networks/layers/kinds.h"
#include "networks/parameters.h"

#include <stdlib.h>
#include <string.h>

/* ---- the networks ---------------------------------------------------------------------------- */

/* A residual block as in ResNet, with a projection on its shortcut. */
static void make_residual(struct network *n)
{
    network_begin(n, "residual", (struct tensor_shape){3, 19, 17});
    int at = add_conv(n, "conv1", NETWORK_INPUT, 8, (struct window){7, 2, 3}, 1, false);
    at = add_plain(n, &batchnorm_layer, "bn1", at);
    at = add_plain(n, &relu_layer, "relu", at);
    const int in = add_maxpool(n, "pool", at, (struct window){3, 2, 1});
    at = add_conv(n, "conv2", in, 12, (struct window){3, 1, 1}, 1, true);
    at = add_plain(n, &relu_layer, "relu2", at);
    at = add_conv(n, "conv3", at, 12, (struct window){3, 1, 1}, 1, false);
    at = add_plain(n, &batchnorm_layer, "bn3", at);
    int shortcut = add_conv(n, "down", in, 12, (struct window){1, 1, 0}, 1, false);
    shortcut = add_plain(n, &batchnorm_layer, "bn4", shortcut);
    at = add_sum(n, "add", at, shortcut);
    at = add_plain(n, &relu_layer, "relu3", at);
    at = add_plain(n, &average_pool_layer, "mean", at);
    at = add_plain(n, &flatten_layer, "flat", at);
    add_linear(n, "fc", at, 7);
}

/* Depthwise and pointwise convolutions, as in MobileNet. */
static void make_depthwise(struct network *n)
{
    network_begin(n, "depthwise", (struct tensor_shape){6, 11, 13});
    int at = add_conv(n, "expand", NETWORK_INPUT, 18, (struct window){1, 1, 0}, 1, false);
    at = add_plain(n, &batchnorm_layer, "bn1", at);
    at = add_plain(n, &relu6_layer, "clamp1", at);
    at = add_conv(n, "depth", at, 18, (struct window){3, 2, 1}, 18, false);
    at = add_plain(n, &batchnorm_layer, "bn2", at);
    at = add_plain(n, &relu6_layer, "clamp2", at);
    add_conv(n, "project", at, 5, (struct window){1, 1, 0}, 1, true);
}

/* Additions and clamps that cannot be fused, because other layers read their inputs; a clamp after
 * a pooling; and planes of more elements than a block has threads. */
static void make_apart(struct network *n)
{
    network_begin(n, "apart", (struct tensor_shape){4, 36, 38});
    const int a = add_plain(n, &relu_layer, "first", NETWORK_INPUT);
    const int b = add_plain(n, &relu6_layer, "second", NETWORK_INPUT);
    int at = add_sum(n, "add", a, b);
    at = add_sum(n, "again", at, a);
    const int mean = add_plain(n, &average_pool_layer, "mean", at);
    (void)mean;
    at = add_maxpool(n, "pool", at, (struct window){2, 2, 0});
    at = add_plain(n, &relu6_layer, "clamp", at);
    at = add_plain(n, &average_pool_layer, "mean_of_pooled", at);
    add_sum(n, "means", mean, at);
}

/* Vectors. */
static void make_vectors(struct network *n)
{
    network_begin(n, "vectors", (struct tensor_shape){50, 1, 1});
    int at = add_linear(n, "hidden1", NETWORK_INPUT, 33);
    at = add_plain(n, &relu_layer, "relu1", at);
    at = add_linear(n, "hidden2", at, 70);
    at = add_plain(n, &relu_layer, "relu2", at);
    add_linear(n, "output", at, 1);
}

/* Groups of several filters, windows that reach far beyond the image, and two poolings by roof. */
static void make_groups(struct network *n)
{
    network_begin(n, "groups", (struct tensor_shape){6, 24, 28});
    int at = add_conv(n, "conv1", NETWORK_INPUT, 12, (struct window){5, 1, 4}, 2, true);
    at = add_maxpool(n, "pool1", at, (struct window){2, 2, 0});
    at = add_plain(n, &relu_layer, "relu", at);
    at = add_conv(n, "conv2", at, 9, (struct window){3, 2, 1}, 3, true);
    add_maxpool(n, "pool2", at, (struct window){3, 3, 1});
}

/* Sums of many terms but few outputs, so that the terms are cut into pieces, two and ten of them;
 * and the epilogue of such outputs. */
static void make_pieces(struct network *n)
{
    network_begin(n, "pieces", (struct tensor_shape){40, 5, 4});
    int at = add_conv(n, "conv", NETWORK_INPUT, 40, (struct window){3, 1, 1}, 2, true);
    at = add_sum(n, "add", at, NETWORK_INPUT);
    at = add_plain(n, &relu_layer, "relu", at);
    at = add_plain(n, &flatten_layer, "flat", at);
    add_linear(n, "fc", at, 7);
}

/* So many pixels that the sums of two images are cut into fewer pieces than those of one. */
static void make_divided(struct network *n)
{
    network_begin(n, "divided", (struct tensor_shape){72, 29, 29});
    add_conv(n, "conv", NETWORK_INPUT, 5, (struct window){3, 1, 1}, 1, true);
}

static const struct {
    const char *name;
    void (*make)(struct network *n);
} rows[SMALL_NETWORKS] = {{"residual", make_residual}, {"depthwise", make_depthwise},
                          {"apart", make_apart},       {"vectors", make_vectors},
                          {"groups", make_groups},     {"pieces", make_pieces},
                          {"divided", make_divided}};

const char *small_name(int which)
{
    return rows[which].name;
}

/* ---- opening --------------------------------------------------------------------------------- */

static enum status make_operands(struct small *s, int64_t batch, struct failure *f)
{
    const int64_t elements = batch * tensor_elements(s->network.input);
    enum status status = network_finish(&s->network, f);
    if (status == STATUS_OK)
        status = parameters_allocate(&s->network, &s->parameters, f);
    if (status != STATUS_OK)
        return status;
    parameters_seed(&s->network, 5, s->parameters);
    s->images = malloc((size_t)elements * sizeof *s->images);
    if (!s->images)
        return fail(f, STATUS_RESOURCE, "no memory for images");
    random_elements(3, 18, 0, elements, s->images);
    for (int64_t i = 0; i < elements; i++)
        s->images[i] -= 9.0f;
    return STATUS_OK;
}

enum status small_open(struct small *s, int which, const struct small_way *way, struct failure *f)
{
    memset(s, 0, sizeof *s);
    rows[which].make(&s->network);
    enum status status = make_operands(s, way->batch, f);
    s->forward = (struct forward){.plan = {.network = &s->network,
                                           .parameters = s->parameters,
                                           .batch = way->batch,
                                           .whole_batch = way->batch,
                                           .isa = ISA_BASELINE,
                                           .external = true},
                                  .team = {.workers = 1, .run = team_alone},
                                  .input = s->images,
                                  .device_step = device_run_step,
                                  .device_context = &s->run,
                                  .clocked = way->clocked};
    if (status == STATUS_OK)
        status = forward_open(&s->forward, f);
    s->run.engine =
        (struct layer_engine){.device = &s->device, .peer = way->peer, .block = way->block};
    s->run.captures = way->captures;
    s->run.compares = way->compares;
    if (status == STATUS_OK)
        status = device_take(&s->device, 0, f);
    return status == STATUS_OK ? device_run_open(&s->run, &s->forward, way->warm_cache, f) : status;
}

void small_close(struct small *s)
{
    device_run_close(&s->run);
    forward_close(&s->forward);
    network_release(&s->network);
    free(s->parameters);
    free(s->images);
}

/* What is left of the images before would be found. */
static void exchange_images(struct small *s)
{
    const int64_t elements = s->forward.plan.batch * tensor_elements(s->network.input);
    for (int64_t i = 0; i < elements; i++)
        s->images[i] = -s->images[i];
}

enum status small_check(struct small *s, struct failure *f)
{
    const struct verify_extent all = {.full = true};
    const size_t bytes = (size_t)forward_outputs(&s->forward) * sizeof(float);
    struct phases phases;
    float *once = malloc(bytes);
    enum status status = STATUS_OK;
    exchange_images(s);
    for (int i = 0; status == STATUS_OK && i < 2; i++) {
        status = device_run_poison(&s->run, &s->forward, f);
        if (status == STATUS_OK)
            status = device_run_batch(&s->run, &s->forward, &phases, f);
        if (status == STATUS_OK && i == 0)
            memcpy(once, s->forward.output, bytes);
    }
    if (status == STATUS_OK && memcmp(once, s->forward.output, bytes) != 0)
        status = fail(f, STATUS_WRONG, "two batches differ");
    if (status == STATUS_OK)
        status = forward_verify(&s->forward, &all, f);
    if (status == STATUS_OK && memcmp(once, s->forward.output, bytes) != 0)
        status = fail(f, STATUS_WRONG, "layer by layer the outputs are others");
    free(once);
    return status;
}
