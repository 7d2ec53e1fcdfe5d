/* Whole networks by oneDNN (dnnl 2 and 3). Each layer is a primitive that includes its residual and
 * its clamp, in the layouts that oneDNN wants. If two layers want different layouts, a reorder
 * between them is part of the execution. Weights are reordered once, before any time is measured.
 * The residual is already in the memory of the layer's output: the layer adds to it in place. */
#include "harness/space/network_peer.h"
#include "peers/onednn_parts.h"
#include "peers/peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One layer as it runs. */
struct prepared {
    struct tensor input;  /* the source in the layout that the primitive wants; no memory if it
                             has that layout */
    struct tensor output; /* no memory if it is added in place */
    struct tensor weights, bias;
    const struct tensor *result; /* its output, or what it was added to */
    struct onednn_step reorder, compute;
    char name[64];
};

struct peer_state {
    struct onednn onednn;
    struct tensor images;
    struct prepared *stages;
    int count;
};

/* ---- shapes -----------------------------------------------------------------------------------
 */

/* Vectors have two dimensions in oneDNN, images four. */
static int source_dimensions(const struct peer_layer *l)
{
    return l->form == FORM_LINEAR && l->rows == 1 && l->cols == 1 ? 2 : 4;
}

static const struct tensor *tensor_of(const struct peer_state *s, int layer)
{
    return layer == PEER_IMAGES ? &s->images : s->stages[layer].result;
}

static enum status shape_of(struct tensor *t, int dimensions, const dnnl_dims_t lengths,
                            struct failure *f)
{
    return onednn_set_layout(t, dimensions, lengths, dnnl_format_tag_any, f);
}

/* Sets the shape of layer l's output; rows and columns only if it has them. */
static enum status shape_of_output(const struct peer_layer *l, struct tensor *t, bool plain,
                                   struct failure *f)
{
    const dnnl_dims_t lengths = {l->images, l->filters, l->out_rows, l->out_cols};
    const bool vectors = l->form == FORM_LINEAR;
    const dnnl_format_tag_t own = vectors ? dnnl_nc : dnnl_nchw;
    return onednn_set_layout(t, vectors ? 2 : 4, lengths, plain ? own : dnnl_format_tag_any, f);
}

/* ---- weights ----------------------------------------------------------------------------------
 */

/* Sets the shape of the weights. If `plain`, in memory order: K x C/G x k x k, or out x in, where
 * `in` is the source's channels x rows x cols. */
static enum status shape_weights(const struct peer_layer *l, const struct tensor *source,
                                 bool plain, struct tensor *t, struct failure *f)
{
    const int64_t k = l->kernel;
    const bool linear = l->form == FORM_LINEAR, grouped = !linear && l->groups > 1;
    const int dimensions = linear ? layout_dimensions(source->layout) : grouped ? 5 : 4;
    dnnl_dims_t lengths = {l->filters, l->channels, k, k};
    for (int i = 1; linear && i < dimensions; i++)
        lengths[i] = layout_lengths(source->layout)[i];
    if (grouped) {
        const dnnl_dims_t parted = {l->groups, l->filters / l->groups, l->channels / l->groups, k,
                                    k};
        memcpy(lengths, parted, sizeof lengths);
    }
    const dnnl_format_tag_t tag = dimensions == 2 ? dnnl_ab : grouped ? dnnl_abcde : dnnl_abcd;
    return onednn_set_layout(t, dimensions, lengths, plain ? tag : dnnl_format_tag_any, f);
}

/* Makes the weights in the layout that the primitive chose, reordered from the plain one. */
static enum status take_weights(struct peer_state *s, struct prepared *stage,
                                const struct peer_layer *l, const struct tensor *source,
                                const_dnnl_primitive_desc_t description, struct failure *f)
{
    struct tensor plain = {0};
    struct onednn_step reorder = {0};
    enum status status = onednn_copy_layout(
        &stage->weights, dnnl_primitive_desc_query_md(description, dnnl_query_weights_md, 0), f);
    if (status == STATUS_OK)
        status = onednn_memory(&s->onednn, &stage->weights, NULL, f);
    if (status == STATUS_OK)
        status = shape_weights(l, source, true, &plain, f);
    if (status == STATUS_OK)
        status = onednn_memory(&s->onednn, &plain, (float *)l->weights, f);
    if (status == STATUS_OK)
        status = onednn_reorder(&s->onednn, &reorder, &plain, &stage->weights, f);
    if (status == STATUS_OK)
        status = onednn_run(&s->onednn, &reorder, f);
    step_release(&reorder);
    tensor_release(&plain);
    return status;
}

/* ---- primitives -------------------------------------------------------------------------------
 */

/* Sets what is done to an output before it is stored: the sum with the residual in its memory, then
 * the clamp. */
static enum status make_attributes(const struct peer_layer *l, dnnl_primitive_attr_t *out,
                                   struct failure *f)
{
    dnnl_post_ops_t then = NULL;
    *out = NULL;
    enum status status = onednn_check(dnnl_primitive_attr_create(out), "attributes", f);
    if (status == STATUS_OK)
        status = onednn_check(dnnl_post_ops_create(&then), "attributes", f);
    if (status == STATUS_OK && l->residual_from != PEER_NOTHING)
        status = onednn_check(then_sum(then), "a sum", f);
    if (status == STATUS_OK && l->clamped)
        status = onednn_check(
            then_apply(then, isinf(l->most) ? dnnl_eltwise_relu : dnnl_eltwise_clip,
                       isinf(l->most) ? 0.0f : l->least, isinf(l->most) ? 0.0f : l->most),
            "a clamp", f);
    if (status == STATUS_OK)
        status = onednn_check(dnnl_primitive_attr_set_post_ops(*out, then), "attributes", f);
    dnnl_post_ops_destroy(then);
    return status;
}

/* A layer to describe: its source in its actual layout; the operation has `image` and `map` in any
 * layout they may have, and weights in any layout. */
struct described {
    const struct peer_layer *layer;
    const struct tensor *source;
    struct onednn_operation operation;
};

static enum status describe_conv(struct described *t, dnnl_primitive_desc_t *out, struct failure *f)
{
    return onednn_check(describe_convolution(out, &t->operation, dnnl_forward_inference),
                        "a convolution", f);
}

static enum status describe_linear(struct described *t, dnnl_primitive_desc_t *out,
                                   struct failure *f)
{
    return onednn_check(describe_product(out, &t->operation), "a fully connected layer", f);
}

/* Pooling takes its input in the layout of its source. */
static enum status describe_maximum(struct described *t, dnnl_primitive_desc_t *out,
                                    struct failure *f)
{
    t->operation.image = t->source->layout;
    return onednn_check(describe_pooling(out, &t->operation, dnnl_pooling_max), "pooling", f);
}

/* The window is the whole map. */
static enum status describe_average(struct described *t, dnnl_primitive_desc_t *out,
                                    struct failure *f)
{
    struct onednn_operation *op = &t->operation;
    op->image = t->source->layout;
    op->kernel[0] = op->strides[0] = t->layer->rows;
    op->kernel[1] = op->strides[1] = t->layer->cols;
    op->padding[0] = op->padding[1] = 0;
    return onednn_check(describe_pooling(out, op, dnnl_pooling_avg_exclude_padding), "pooling", f);
}

/* NULL: oneDNN has no such layer. */
typedef enum status describe_function(struct described *t, dnnl_primitive_desc_t *out,
                                      struct failure *f);
static describe_function *const describe_form[LAYER_FORMS] = {[FORM_CONV] = describe_conv,
                                                              [FORM_LINEAR] = describe_linear,
                                                              [FORM_MAXPOOL] = describe_maximum,
                                                              [FORM_AVERAGE] = describe_average};

static bool computes(enum layer_form form)
{
    return describe_form[form] != NULL;
}

/* The layouts that a primitive may choose. */
struct wishes {
    struct tensor in, out, weights;
};

static enum status wish(const struct peer_state *s, const struct peer_layer *l, bool last,
                        struct wishes *w, struct failure *f)
{
    const struct tensor *source = tensor_of(s, l->from);
    enum status status =
        shape_of(&w->in, layout_dimensions(source->layout), layout_lengths(source->layout), f);
    if (status == STATUS_OK)
        status = l->residual_from != PEER_NOTHING
                     ? onednn_copy_layout(&w->out, tensor_of(s, l->residual_from)->layout, f)
                     : shape_of_output(l, &w->out, last, f);
    if (status == STATUS_OK && l->weights)
        status = shape_weights(l, source, false, &w->weights, f);
    return status;
}

static enum status describe(const struct peer_state *s, const struct prepared *stage,
                            const struct peer_layer *l, bool last, dnnl_primitive_desc_t *out,
                            struct failure *f)
{
    struct wishes w = {0};
    dnnl_primitive_attr_t attributes = NULL;
    enum status status = wish(s, l, last, &w, f);
    if (status == STATUS_OK)
        status = make_attributes(l, &attributes, f);
    struct described t = {.layer = l,
                          .source = tensor_of(s, l->from),
                          .operation = {.engine = s->onednn.engine,
                                        .attributes = attributes,
                                        .image = w.in.layout,
                                        .weights = w.weights.layout,
                                        .bias = stage->bias.layout,
                                        .map = w.out.layout,
                                        .kernel = {l->kernel, l->kernel},
                                        .strides = {l->stride, l->stride},
                                        .padding = {l->padding, l->padding}}};
    if (status == STATUS_OK)
        status = describe_form[l->form](&t, out, f);
    dnnl_primitive_attr_destroy(attributes);
    tensor_release(&w.in);
    tensor_release(&w.out);
    tensor_release(&w.weights);
    return status;
}

/* ---- stages -----------------------------------------------------------------------------------
 */

/* Makes the source in the layout that the primitive wants, if it has another. */
static enum status take_source(struct peer_state *s, struct prepared *stage,
                               const struct tensor *source, const_dnnl_primitive_desc_t description,
                               const struct tensor **out, struct failure *f)
{
    const onednn_seen_layout wanted =
        dnnl_primitive_desc_query_md(description, dnnl_query_src_md, 0);
    *out = source;
    if (dnnl_memory_desc_equal(wanted, source->layout))
        return STATUS_OK;
    *out = &stage->input;
    enum status status = onednn_copy_layout(&stage->input, wanted, f);
    if (status == STATUS_OK)
        status = onednn_memory(&s->onednn, &stage->input, NULL, f);
    return status == STATUS_OK
               ? onednn_reorder(&s->onednn, &stage->reorder, source, &stage->input, f)
               : status;
}

/* Sets the output: its own memory, the caller's, or the residual that it is added to. */
static enum status take_output(struct peer_state *s, struct prepared *stage,
                               const struct peer_layer *l, float *outputs,
                               const_dnnl_primitive_desc_t description, struct failure *f)
{
    stage->result = &stage->output;
    if (l->residual_from != PEER_NOTHING && !outputs) {
        stage->result = tensor_of(s, l->residual_from);
        return STATUS_OK;
    }
    const enum status status = onednn_copy_layout(
        &stage->output, dnnl_primitive_desc_query_md(description, dnnl_query_dst_md, 0), f);
    return status == STATUS_OK ? onednn_memory(&s->onednn, &stage->output, outputs, f) : status;
}

static void name_stage(struct prepared *stage, const_dnnl_primitive_desc_t description)
{
    const char *name = "";
    if (dnnl_primitive_desc_query(description, dnnl_query_impl_info_str, 0, &name) == dnnl_success)
        snprintf(stage->name, sizeof stage->name, "%s", name);
}

static enum status connect(struct peer_state *s, struct prepared *stage, const struct peer_layer *l,
                           float *outputs, dnnl_primitive_desc_t description, struct failure *f)
{
    const struct tensor *source = tensor_of(s, l->from), *input;
    enum status status = take_source(s, stage, source, description, &input, f);
    if (status == STATUS_OK && l->weights)
        status = take_weights(s, stage, l, source, description, f);
    if (status == STATUS_OK)
        status = take_output(s, stage, l, outputs, description, f);
    if (status == STATUS_OK)
        status = onednn_step(&s->onednn, &stage->compute, description, f);
    if (status != STATUS_OK)
        return status;
    step_add(&stage->compute, DNNL_ARG_SRC, input);
    step_add(&stage->compute, DNNL_ARG_DST, stage->result);
    if (l->weights)
        step_add(&stage->compute, DNNL_ARG_WEIGHTS, &stage->weights);
    if (l->bias)
        step_add(&stage->compute, DNNL_ARG_BIAS, &stage->bias);
    name_stage(stage, description);
    return STATUS_OK;
}

static enum status make_bias(const struct peer_state *s, struct prepared *stage,
                             const struct peer_layer *l, struct failure *f)
{
    const dnnl_dims_t lengths = {l->filters};
    if (!l->bias)
        return STATUS_OK;
    const enum status status = onednn_set_layout(&stage->bias, 1, lengths, dnnl_x, f);
    return status == STATUS_OK ? onednn_memory(&s->onednn, &stage->bias, (float *)l->bias, f)
                               : status;
}

/* Fails if a residual is read after a layer was added to it in place. */
static enum status check_sum(const struct network_peer_job *job, int layer, struct failure *f)
{
    const int residual = job->layers[layer].residual_from;
    bool wanted = residual == PEER_IMAGES || (residual >= 0 && layer == job->count - 1);
    for (int i = layer + 1; i < job->count && residual != PEER_NOTHING; i++)
        wanted =
            wanted || job->layers[i].from == residual || job->layers[i].residual_from == residual;
    return wanted
               ? fail(f, STATUS_UNAVAILABLE,
                      "oneDNN adds in place, and what layer %d is added to is wanted later", layer)
               : STATUS_OK;
}

static enum status make_stage(struct peer_state *s, const struct network_peer_job *job, int layer,
                              struct failure *f)
{
    const struct peer_layer *l = &job->layers[layer];
    const bool last = layer == job->count - 1;
    struct prepared *stage = &s->stages[layer];
    dnnl_primitive_desc_t description = NULL;
    enum status status = check_sum(job, layer, f);
    if (status == STATUS_OK)
        status = make_bias(s, stage, l, f);
    if (status == STATUS_OK)
        status = describe(s, stage, l, last, &description, f);
    if (status == STATUS_OK)
        status = connect(s, stage, l, last ? job->outputs : NULL, description, f);
    dnnl_primitive_desc_destroy(description);
    return status;
}

static enum status make_images(struct peer_state *s, const struct network_peer_job *job,
                               struct failure *f)
{
    const struct peer_layer *l = &job->layers[0];
    const dnnl_dims_t lengths = {l->images, l->channels, l->rows, l->cols};
    const int dimensions = source_dimensions(l);
    const enum status status = onednn_set_layout(&s->images, dimensions, lengths,
                                                 dimensions == 2 ? dnnl_nc : dnnl_nchw, f);
    return status == STATUS_OK ? onednn_memory(&s->onednn, &s->images, job->images, f) : status;
}

/* ---- the peer ---------------------------------------------------------------------------------
 */

static void release(struct peer_state *s)
{
    for (int i = 0; i < s->count; i++) {
        struct prepared *stage = &s->stages[i];
        struct tensor *const tensors[] = {&stage->input, &stage->output, &stage->weights,
                                          &stage->bias};
        step_release(&stage->reorder);
        step_release(&stage->compute);
        for (size_t t = 0; t < sizeof tensors / sizeof *tensors; t++)
            tensor_release(tensors[t]);
    }
    tensor_release(&s->images);
    onednn_close(&s->onednn);
    free(s->stages);
}

static enum status execute(struct peer_state *s, int layer, struct failure *f)
{
    const struct prepared *stage = &s->stages[layer];
    const enum status status =
        stage->input.memory ? onednn_run(&s->onednn, &stage->reorder, f) : STATUS_OK;
    return status == STATUS_OK ? onednn_run(&s->onednn, &stage->compute, f) : status;
}

/* Also executes once: the threads that write the memory then touch its pages first. */
static enum status open_state(struct peer_state *s, const struct network_peer_job *job,
                              struct failure *f)
{
    enum status status = onednn_open(&s->onednn, job->threads, f);
    s->stages = calloc((size_t)job->count, sizeof *s->stages);
    if (status == STATUS_OK && !s->stages)
        status = fail(f, STATUS_RESOURCE, "no memory for oneDNN");
    s->count = s->stages ? job->count : 0;
    if (status == STATUS_OK)
        status = make_images(s, job, f);
    for (int i = 0; status == STATUS_OK && i < job->count; i++)
        status = make_stage(s, job, i, f);
    for (int i = 0; status == STATUS_OK && i < job->count; i++)
        status = execute(s, i, f);
    return status;
}

static enum status prepare(const struct network_peer_job *job, struct peer_state *s,
                           const char **isa, struct failure *f)
{
    *isa = s->onednn.name;
    return open_state(s, job, f);
}

static const char *name_of(const struct peer_state *s, int layer)
{
    return s->stages[layer].name;
}

static enum status fetch(struct peer_state *s, int layer, float *to, struct failure *f)
{
    const struct tensor *from = s->stages[layer].result;
    const bool vectors = layout_dimensions(from->layout) == 2;
    struct tensor plain = {0};
    struct onednn_step reorder = {0};
    enum status status =
        onednn_set_layout(&plain, layout_dimensions(from->layout), layout_lengths(from->layout),
                          vectors ? dnnl_nc : dnnl_nchw, f);
    if (status == STATUS_OK)
        status = onednn_memory(&s->onednn, &plain, to, f);
    if (status == STATUS_OK)
        status = onednn_reorder(&s->onednn, &reorder, from, &plain, f);
    if (status == STATUS_OK)
        status = onednn_run(&s->onednn, &reorder, f);
    step_release(&reorder);
    tensor_release(&plain);
    return status;
}

static void poison(struct peer_state *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->stages[i].output.own)
            tensor_poison(&s->stages[i].output);
}

static const struct network_peer network = {.computes = computes,
                                            .state_bytes = sizeof(struct peer_state),
                                            .prepare = prepare,
                                            .execute = execute,
                                            .name = name_of,
                                            .fetch = fetch,
                                            .poison = poison,
                                            .release = release};

/* What it cannot do is reported by the layer: prepare(). */
const struct peer peer_onednn_network = {.network = &network};
