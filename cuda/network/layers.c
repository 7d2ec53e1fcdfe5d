#include "cuda/network/layers.h"

#include "cuda/choice.h"
#include "cuda/peers/peer_kernels.h"
#include "kernels/conv/methods.h"
#include "networks/layers/folded_weights.h"
#include "networks/layers/kinds.h"

#include <float.h>
#include <stdlib.h>

/* ---- parameters -------------------------------------------------------------------------------
 */

static enum status send(float **to, const float *from, int64_t floats, struct failure *f)
{
    const size_t bytes = (size_t)floats * sizeof *from;
    enum status status = CUDA(cudaMalloc((void **)to, bytes), f);
    return status == STATUS_OK ? CUDA(cudaMemcpy(*to, from, bytes, cudaMemcpyHostToDevice), f)
                               : status;
}

static int64_t weights_of(const struct conv_task *t)
{
    return t->groups * t->filters * t->depth * t->kernel * t->kernel;
}

/* With the batch norm behind it. */
static enum status send_folded(struct device_layer *l, struct step *s, const struct plan *p,
                               struct failure *f)
{
    float *folded = NULL;
    enum status status = step_fold(s, p, &folded, f);
    if (status == STATUS_OK)
        status = send(&l->weights, folded, weights_of(&l->conv), f);
    if (status == STATUS_OK && s->bias)
        status = send(&l->bias, s->bias, s->out.channels, f);
    free(folded);
    return status;
}

enum { WEIGHT, BIAS };

/* Of a fully connected layer, as they are. */
static enum status send_plain(struct device_layer *l, const struct step *s, const struct plan *p,
                              struct failure *f)
{
    const int64_t *offset = s->layer->offset;
    const enum status status =
        send(&l->weights, p->parameters + offset[WEIGHT], weights_of(&l->conv), f);
    return status == STATUS_OK ? send(&l->bias, p->parameters + offset[BIAS], s->out.channels, f)
                               : status;
}

/* Of a network that is trained, where they lie. */
static enum status lend(struct device_layer *l, const struct step *s, const struct layer_engine *e)
{
    l->lent = true;
    l->weights = e->parameters + s->layer->offset[WEIGHT];
    if (layer_parameter_count(s->layer) > BIAS)
        l->bias = e->parameters + s->layer->offset[BIAS];
    return STATUS_OK;
}

/* ---- convolutions, and fully connected layers, which are those of one pixel -------------------
 */

/* Planes one after the other, images one after the other. */
static struct row_steps steps_of(struct tensor_shape s)
{
    return (struct row_steps){.image = tensor_cells(s), .channel = s.rows * s.cols, .row = s.cols};
}

struct conv_task device_conv(const struct step *s)
{
    const struct layer *l = s->layer;
    const int64_t groups = l->groups > 0 ? l->groups : 1;
    return (struct conv_task){.in = steps_of(s->in),
                              .out = steps_of(s->out),
                              .beside = steps_of(s->out),
                              .images = s->images,
                              .in_rows = s->in.rows,
                              .in_cols = s->in.cols,
                              .out_rows = s->out.rows,
                              .out_cols = s->out.cols,
                              .groups = groups,
                              .depth = s->in.channels / groups,
                              .filters = l->filters / groups,
                              .top = -l->padding,
                              .left = -l->padding,
                              .kernel = l->kernel > 0 ? l->kernel : 1,
                              .stride = l->stride > 0 ? l->stride : 1,
                              .clamped = s->clamp != NULL,
                              .least = s->clamp ? s->clamp->kind->least : 0.0f,
                              .most = s->clamp ? s->clamp->kind->most : 0.0f};
}

static enum status open_peer(struct device_layer *l, const struct layer_engine *e,
                             struct failure *f)
{
    const struct device_peer_job job = {
        .conv = l->conv,
        .launch = l->launch,
        .tools = {.allocate = cudaMalloc, .release = cudaFree, .check = cuda_check}};
    const char *name;
    return e->peer->prepare(&job, &l->peer_state, &name, f);
}

/* A library may use Winograd's smallest tiles where they serve: the oracle is to know. */
static const struct conv_method *allowed_to_peers(const struct step *s)
{
    const struct layer *l = s->layer;
    return l->kernel == 3 && l->stride == 1 ? conv_method_find("winograd") : NULL;
}

static enum status open_product(struct device_layer *l, struct step *s,
                                const struct layer_engine *e, struct failure *f)
{
    const struct choice choice =
        choose_conv(&conv_tiled_kernels, &l->conv, e->device, e->block, FILTER_TRANSFERRED);
    l->kernel = choice.kernel;
    l->launch = choice.launch;
    s->method = e->peer ? "cudnn" : choice.kernels->name;
    s->choice = e->peer ? allowed_to_peers(s) : NULL;
    return e->peer ? open_peer(l, e, f) : STATUS_OK;
}

static enum status open_conv(struct device_layer *l, struct step *s, const struct plan *p,
                             const struct layer_engine *e, struct failure *f)
{
    l->conv = device_conv(s);
    const enum status status = e->parameters ? lend(l, s, e) : send_folded(l, s, p, f);
    return status == STATUS_OK ? open_product(l, s, e, f) : status;
}

static enum status open_linear(struct device_layer *l, struct step *s, const struct plan *p,
                               const struct layer_engine *e, struct failure *f)
{
    l->conv = device_conv(s);
    const enum status status = e->parameters ? lend(l, s, e) : send_plain(l, s, p, f);
    return status == STATUS_OK ? open_product(l, s, e, f) : status;
}

/* Adds and clamps in place what is there. */
static enum status finish(const struct device_layer *l, const float *from,
                          const struct layer_arrays *a, cudaStream_t stream, struct failure *f)
{
    const struct step *s = l->step;
    const int64_t threads = l->launch.block * l->launch.block;
    const struct layer_task task = {.from = from,
                                    .added = s->add ? a->beside : NULL,
                                    .to = a->to,
                                    .planes = s->images * s->out.channels,
                                    .cells = s->out.rows * s->out.cols,
                                    .clamped = s->clamp != NULL,
                                    .least = s->clamp ? s->clamp->kind->least : 0.0f,
                                    .most = s->clamp ? s->clamp->kind->most : 0.0f};
    struct launch launch = l->launch;
    launch.stream = stream;
    const int64_t blocks = (task.planes * task.cells - 1) / threads + 1;
    return CUDA(launch_layer(finish_kernel, &launch, blocks, &task), f);
}

/* What follows a step that cannot do it by itself. */
static enum status finish_more(const struct device_layer *l, const struct layer_arrays *a,
                               cudaStream_t stream, struct failure *f)
{
    const bool more = l->step->add || l->step->clamp;
    return more ? finish(l, a->to, a, stream, f) : STATUS_OK;
}

static enum status run_conv(const struct device_layer *l, const struct layer_engine *e,
                            const struct layer_arrays *a, cudaStream_t stream, struct failure *f)
{
    struct conv_task task = l->conv;
    struct launch launch = l->launch;
    task.images = l->step->images;
    task.image = a->from;
    task.weights = l->weights;
    task.bias = l->bias;
    task.map = a->to;
    launch.stream = stream;
    if (e->peer) {
        const enum status status = e->peer->conv(l->peer_state, &task, stream, f);
        return status == STATUS_OK ? finish_more(l, a, stream, f) : status;
    }
    task.added = l->step->add ? a->beside : NULL;
    return CUDA(launch_conv(l->kernel.conv, &launch, &task), f);
}

/* ---- pooling ----------------------------------------------------------------------------------
 */

/* The product of each window with the identity, and its maximum. */
static enum status open_pool(struct device_layer *l, struct step *s, const struct plan *p,
                             const struct layer_engine *e, struct failure *f)
{
    const int64_t k = s->layer->kernel, stride = s->layer->stride;
    const bool roof = roof_kernels.serves(k, stride);
    const struct cuda_kernels *method = roof ? &roof_kernels : &naive_kernels;
    (void)p;
    l->kernel.pool = method->pool(e->block, FILTER_TRANSFERRED, k, stride);
    if (method->share)
        l->launch.share = method->share(e->block, k);
    s->method = method->head.name;
    float *identity = calloc((size_t)(k * k), sizeof *identity);
    if (!identity)
        return fail(f, STATUS_RESOURCE, "no memory for the identity");
    for (int64_t i = 0; i < k; i++)
        identity[i * k + i] = 1.0f;
    const enum status status = send(&l->weights, identity, k * k, f);
    free(identity);
    return status;
}

static enum status run_pool(const struct device_layer *l, const struct layer_engine *e,
                            const struct layer_arrays *a, cudaStream_t stream, struct failure *f)
{
    const struct step *s = l->step;
    struct launch launch = l->launch;
    const struct pool_task task = {.image = a->from,
                                   .filter = l->weights,
                                   .map = a->to,
                                   .planes = s->images * s->in.channels,
                                   .in_rows = s->in.rows,
                                   .in_cols = s->in.cols,
                                   .out_rows = s->out.rows,
                                   .out_cols = s->out.cols,
                                   .map_plane = s->out.rows * s->out.cols,
                                   .top = -s->layer->padding,
                                   .left = -s->layer->padding,
                                   .kernel = s->layer->kernel,
                                   .stride = s->layer->stride,
                                   .pad = -FLT_MAX};
    (void)e;
    launch.stream = stream;
    const enum status status = CUDA(launch_pool(l->kernel.pool, &launch, &task), f);
    return status == STATUS_OK ? finish_more(l, a, stream, f) : status;
}

static enum status run_average(const struct device_layer *l, const struct layer_engine *e,
                               const struct layer_arrays *a, cudaStream_t stream, struct failure *f)
{
    const struct step *s = l->step;
    const struct layer_task task = {.from = a->from,
                                    .to = a->to,
                                    .planes = s->images * s->in.channels,
                                    .cells = s->in.rows * s->in.cols};
    struct launch launch = l->launch;
    (void)e;
    launch.stream = stream;
    const enum status status = CUDA(launch_layer(average_kernel, &launch, task.planes, &task), f);
    return status == STATUS_OK ? finish_more(l, a, stream, f) : status;
}

/* An add or a clamp that stands alone. */
static enum status run_copy(const struct device_layer *l, const struct layer_engine *e,
                            const struct layer_arrays *a, cudaStream_t stream, struct failure *f)
{
    (void)e;
    return finish(l, a->from, a, stream, f);
}

/* ---- kinds ------------------------------------------------------------------------------------
 */

static const struct device_kind {
    const struct layer_kind *kind;
    enum status (*open)(struct device_layer *l, struct step *s, const struct plan *p,
                        const struct layer_engine *e, struct failure *f); /* NULL: nothing */
    enum status (*run)(const struct device_layer *l, const struct layer_engine *e,
                       const struct layer_arrays *a, cudaStream_t stream, struct failure *f);
} kinds[] = {{&conv_layer, open_conv, run_conv},    {&linear_layer, open_linear, run_conv},
             {&maxpool_layer, open_pool, run_pool}, {&average_pool_layer, NULL, run_average},
             {&add_layer, NULL, run_copy},          {&relu_layer, NULL, run_copy},
             {&relu6_layer, NULL, run_copy}};

static const struct device_kind *kind_of(const struct layer *l)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].kind == l->kind)
            return &kinds[i];
    return NULL;
}

enum status device_layer_open(struct device_layer *l, struct step *step, const struct plan *plan,
                              const struct layer_engine *engine, struct failure *f)
{
    const struct device_kind *kind = kind_of(step->layer);
    const struct device *d = engine->device;
    *l = (struct device_layer){.step = step};
    if (!kind)
        return fail(f, STATUS_USAGE, "layer %s: there is no kernel for a layer of the kind %s",
                    step->layer->name, step->layer->kind->name);
    l->launch = (struct launch){.block = engine->block,
                                .grid_rows = d->grid_rows,
                                .grid_planes = d->grid_planes,
                                .processors = d->processors};
    return kind->open ? kind->open(l, step, plan, engine, f) : STATUS_OK;
}

void device_layer_close(struct device_layer *l, const struct layer_engine *engine)
{
    if (l->peer_state)
        engine->peer->release(l->peer_state);
    if (!l->lent) {
        cudaFree(l->weights);
        cudaFree(l->bias);
    }
    *l = (struct device_layer){0};
}

enum status device_layer_run(const struct device_layer *l, const struct layer_engine *engine,
                             const struct layer_arrays *a, cudaStream_t stream, struct failure *f)
{
    return kind_of(l->step->layer)->run(l, engine, a, stream, f);
}
