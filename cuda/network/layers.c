#include "cuda/network/layers.h"

#include "cuda/choice.h"
#include "cuda/conv_run.h"
#include "cuda/peers/peer_kernels.h"
#include "kernels/conv/methods.h"
#include "kernels/min_max.h"

#include <float.h>
#include <stdlib.h>

/* ---- parameters -------------------------------------------------------------------------------
 */

static enum status send(float **to, const float *from, int64_t floats, struct failure *f)
{
    const size_t bytes = (size_t)floats * sizeof *from;
    enum status status = CUDA(device_malloc((void **)to, bytes), f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemcpy(*to, from, bytes, cudaMemcpyHostToDevice), f);
    /* A copy from pageable memory may arrive after it returned, and other streams do not wait for
     * it. */
    return status == STATUS_OK ? CUDA(cudaDeviceSynchronize(), f) : status;
}

static int64_t weights_of(const struct conv_task *t)
{
    return t->groups * t->filters * t->depth * t->kernel * t->kernel;
}

/* Sends the weights as the step uses them, with everything that is folded into them. */
static enum status send_weights(struct device_layer *l, struct step *s, const struct plan *p,
                                struct failure *f)
{
    struct step_weights w = {0};
    enum status status = s->layer->kind->weights(s, p, &w, f);
    if (status == STATUS_OK)
        status = send(&l->weights, w.weights, weights_of(&l->conv), f);
    if (status == STATUS_OK && w.bias)
        status = send(&l->bias, w.bias, s->out.channels, f);
    free(w.own);
    return status;
}

enum { WEIGHT, BIAS };

/* Uses the parameters of a network in training at their address. */
static enum status lend(struct device_layer *l, const struct step *s, const struct layer_engine *e)
{
    l->lent = true;
    l->weights = e->parameters + s->layer->offset[WEIGHT];
    if (layer_parameter_count(s->layer) > BIAS)
        l->bias = e->parameters + s->layer->offset[BIAS];
    return STATUS_OK;
}

/* ---- convolutions, and fully connected layers (convolutions of one pixel) ---------------------
 */

/* Planes of an image are contiguous, and so are images. */
static struct row_steps steps_of(struct tensor_shape s)
{
    return (struct row_steps){
        .image = tensor_elements(s), .channel = s.rows * s.cols, .row = s.cols};
}

struct conv_task device_conv(const struct step *s)
{
    const struct layer *l = s->layer;
    const int64_t groups = l->groups > 0 ? l->groups : 1;
    return (struct conv_task){.in = steps_of(s->in),
                              .out = steps_of(s->out),
                              .residual = steps_of(s->out),
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
        .tools = {.allocate = device_malloc, .release = cudaFree, .check = cuda_check}};
    const enum status status = peer_state_make(&l->peer_state, e->peer->state_bytes, f);
    return status == STATUS_OK ? e->peer->prepare(&job, l->peer_state, &l->peer_name, f) : status;
}

/* A library may use Winograd's smallest tiles for these sizes; the oracle must know that. */
static const struct conv_method *allowed_to_peers(const struct step *s)
{
    const struct layer *l = s->layer;
    return l->kernel == 3 && l->stride == 1 ? conv_method_find("winograd") : NULL;
}

/* Chooses for the whole batch: how sums are cut must not depend on how many processes share it. */
static enum status open_product(struct device_layer *l, struct step *s, const struct plan *p,
                                const struct layer_engine *e, struct failure *f)
{
    l->conv = device_conv(s);
    const enum status status = e->parameters ? lend(l, s, e) : send_weights(l, s, p, f);
    if (status != STATUS_OK)
        return status;
    struct conv_task whole = l->conv;
    whole.images = p->whole_batch;
    const struct choice choice =
        choose_conv(&conv_tiled_kernels, &whole, e->device, e->block, FILTER_TRANSFERRED);
    l->kernel = choice.kernel;
    l->launch = choice.launch;
    l->conv.pieces = e->peer ? 1 : choice.pieces;
    l->parts = device_conv_parts(&l->conv);
    s->method = e->peer ? "cudnn" : choice.kernels->name;
    s->choice = e->peer ? allowed_to_peers(s) : NULL;
    return e->peer ? open_peer(l, e, f) : STATUS_OK;
}

/* Queues a->to = clamped(from + residual), as far as the step has either. */
static enum status finish(const struct device_layer *l, const float *from,
                          const struct layer_arrays *a, cudaStream_t stream, struct failure *f)
{
    const struct step *s = l->step;
    const int64_t threads = l->launch.block * l->launch.block;
    const struct layer_task task = {.from = from,
                                    .added = s->add ? a->residual : NULL,
                                    .to = a->to,
                                    .planes = s->images * s->out.channels,
                                    .elements = s->out.rows * s->out.cols,
                                    .clamped = s->clamp != NULL,
                                    .least = s->clamp ? s->clamp->kind->least : 0.0f,
                                    .most = s->clamp ? s->clamp->kind->most : 0.0f};
    struct launch launch = l->launch;
    launch.stream = stream;
    const int64_t blocks = (task.planes * task.elements - 1) / threads + 1;
    return CUDA(launch_layer(finish_kernel, &launch, blocks, &task), f);
}

/* True if a step clamps below 0 and nowhere else, which the library can do too. */
static bool clamps_below_0(const struct step *s)
{
    return s->clamp && s->clamp->kind->least == 0.0f && s->clamp->kind->most >= FLT_MAX;
}

/* Queues residual and clamp after a step whose kernel does neither. */
static enum status finish_more(const struct device_layer *l, const struct layer_arrays *a,
                               cudaStream_t stream, struct failure *f)
{
    const bool more = l->step->add || l->step->clamp;
    return more ? finish(l, a->to, a, stream, f) : STATUS_OK;
}

static struct conv_task sent_task(const struct device_layer *l, const struct layer_arrays *a)
{
    struct conv_task task = l->conv;
    task.images = l->step->images;
    task.image = a->from;
    task.weights = l->weights;
    task.bias = l->bias;
    task.map = a->to;
    return task;
}

/* Completes the task of a fused call: residual, and the clamp that it can do. */
static struct conv_task fused_of(const struct device_layer *l, const struct conv_task *task,
                                 const struct layer_arrays *a)
{
    struct conv_task fused = *task;
    fused.added = l->step->add ? a->residual : NULL;
    fused.clamped = clamps_below_0(l->step);
    return fused;
}

static enum status run_fused(const struct device_layer *l, const struct layer_engine *e,
                             const struct conv_task *fused, cudaStream_t stream, struct failure *f)
{
    const enum status status = e->peer->conv_fused(l->peer_state, fused, stream, f);
    const struct layer_arrays rest = {.to = fused->map};
    const bool clamps = l->step->clamp && !fused->clamped;
    return status == STATUS_OK && clamps ? finish(l, fused->map, &rest, stream, f) : status;
}

static enum status run_product(const struct device_layer *l, const struct layer_engine *e,
                               const struct layer_arrays *a, cudaStream_t stream, struct failure *f)
{
    struct conv_task task = sent_task(l, a);
    struct launch launch = l->launch;
    launch.stream = stream;
    if (e->peer && l->fused) {
        const struct conv_task fused = fused_of(l, &task, a);
        return run_fused(l, e, &fused, stream, f);
    }
    if (e->peer) {
        const enum status status = e->peer->conv(l->peer_state, &task, stream, f);
        return status == STATUS_OK ? finish_more(l, a, stream, f) : status;
    }
    task.added = l->step->add ? a->residual : NULL;
    task.parts = a->parts;
    return device_conv_run(&l->kernel.conv, &launch, &task, f);
}

struct trial {
    struct device_layer *layer;
    const struct layer_engine *engine;
    const struct layer_arrays *arrays;
    cudaStream_t stream;
};

static enum status run_way(void *context, int way, struct failure *f)
{
    struct trial *t = context;
    t->layer->fused = way == 1;
    return run_product(t->layer, t->engine, t->arrays, t->stream, f);
}

enum status device_layer_choose(struct device_layer *l, const struct layer_engine *engine,
                                const struct layer_arrays *a, cudaStream_t stream,
                                struct failure *f)
{
    const struct conv_task task = sent_task(l, a), fused = fused_of(l, &task, a);
    struct trial trial = {l, engine, a, stream};
    int faster = 0;
    if (!l->peer_state || !engine->peer->fuses || !engine->peer->fuses(l->peer_state, &fused))
        return STATUS_OK;
    const enum status status = device_faster(run_way, &trial, stream, &faster, f);
    l->fused = faster == 1;
    return status;
}

/* ---- pooling ----------------------------------------------------------------------------------
 */

/* Pooling is the product of each window with the identity, and its maximum. */
static enum status open_pool(struct device_layer *l, struct step *s, const struct plan *p,
                             const struct layer_engine *e, struct failure *f)
{
    const int64_t k = s->layer->kernel, stride = s->layer->stride;
    const bool roof = roof_kernels.serves(k, stride);
    const struct cuda_kernels *method = roof ? &roof_kernels : &naive_kernels;
    (void)p;
    l->kernel.pool = method->pool(e->block, FILTER_TRANSFERRED, k, stride);
    if (method->share)
        l->launch.per_thread = method->share(e->block, k);
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
                                    .elements = s->in.rows * s->in.cols};
    struct launch launch = l->launch;
    (void)e;
    launch.stream = stream;
    const enum status status = CUDA(launch_layer(average_kernel, &launch, task.planes, &task), f);
    return status == STATUS_OK ? finish_more(l, a, stream, f) : status;
}

/* An add or a clamp that is not fused with another layer. */
static enum status run_copy(const struct device_layer *l, const struct layer_engine *e,
                            const struct layer_arrays *a, cudaStream_t stream, struct failure *f)
{
    (void)e;
    return finish(l, a->from, a, stream, f);
}

/* ---- forms ------------------------------------------------------------------------------------
 */

static const struct device_form {
    /* NULL: nothing is to be opened. */
    enum status (*open)(struct device_layer *l, struct step *s, const struct plan *p,
                        const struct layer_engine *e, struct failure *f);
    /* NULL: there is no kernel. */
    enum status (*run)(const struct device_layer *l, const struct layer_engine *e,
                       const struct layer_arrays *a, cudaStream_t stream, struct failure *f);
} forms[LAYER_FORMS] = {[FORM_CONV] = {open_product, run_product},
                        [FORM_LINEAR] = {open_product, run_product},
                        [FORM_MAXPOOL] = {open_pool, run_pool},
                        [FORM_AVERAGE] = {NULL, run_average},
                        [FORM_COPY] = {NULL, run_copy}};

bool device_layer_has(enum layer_form form)
{
    return forms[form].run != NULL;
}

enum status device_layer_open(struct device_layer *l, struct step *step, const struct plan *plan,
                              const struct layer_engine *engine, struct failure *f)
{
    const struct layer_kind *kind = step->layer->kind;
    *l = (struct device_layer){.step = step};
    if (!device_layer_has(kind->form))
        return fail(f, STATUS_USAGE, "layer %s: there is no kernel for a layer of the kind %s",
                    step->layer->name, kind->name);
    l->launch = launch_on(engine->device, engine->block);
    return forms[kind->form].open ? forms[kind->form].open(l, step, plan, engine, f) : STATUS_OK;
}

void device_layer_close(struct device_layer *l, const struct layer_engine *engine)
{
    if (engine->peer)
        peer_state_end(l->peer_state, engine->peer->release);
    if (!l->lent) {
        cudaFree(l->weights);
        cudaFree(l->bias);
    }
    *l = (struct device_layer){0};
}

enum status device_layer_run(const struct device_layer *l, const struct layer_engine *engine,
                             const struct layer_arrays *a, cudaStream_t stream, struct failure *f)
{
    return forms[l->step->layer->kind->form].run(l, engine, a, stream, f);
}
