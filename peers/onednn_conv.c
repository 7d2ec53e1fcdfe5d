/* Convolution by oneDNN (dnnl 2.6): forward inference, its direct algorithms, which are exact for
 * small integers. Its user's image is N x C x H x W, so ours is brought into that order before any
 * time is taken, and its result from it after. Weights are reordered once, as they are by those who
 * keep them, before the clock too. */
#include "kernels/conv/methods.h"
#include "kernels/interleave.h"
#include "peers/onednn_parts.h"
#include "peers/peers.h"

#include <stdlib.h>

/* The sizes of the operation by oneDNN's names of dimensions. */
struct sizes {
    dnnl_dims_t image, map, weights, bias, strides, padding;
    int weight_dimensions; /* 5 with groups */
};

struct peer_state {
    struct onednn onednn;
    const struct operation *operation;
    float *to;                               /* the map, as we have it */
    struct tensor image, map, weights, bias; /* plain: N x C x H x W, K x C/G x k x k */
    struct tensor source, target, chosen;    /* as the primitive wants image, map and weights */
    struct step convolve, reorder_in, reorder_out;
};

static const char *refuses(const struct operation *op)
{
    return conv_refuses_epilogue(op);
}

/* ---- shapes -----------------------------------------------------------------------------------
 */

static struct sizes sizes_of(const struct operation *op)
{
    const struct parameters *p = &op->parameters;
    const struct geometry *g = &op->geometry;
    const int64_t groups = p->groups, k = p->kernel;
    struct sizes s = {.image = {p->batch, p->channels, g->rows, g->cols},
                      .map = {p->batch, p->filters, g->out_rows, g->out_cols},
                      .weights = {p->filters, p->channels, k, k},
                      .bias = {p->filters},
                      .strides = {p->stride, p->stride},
                      .padding = {p->padding, p->padding},
                      .weight_dimensions = 4};
    if (groups > 1) {
        const dnnl_dims_t grouped = {groups, p->filters / groups, p->channels / groups, k, k};
        for (int i = 0; i < 5; i++)
            s.weights[i] = grouped[i];
        s.weight_dimensions = 5;
    }
    return s;
}

/* The tensors that its user has, image and map in memory of oneDNN's own. */
static enum status make_plain_tensors(struct peer_state *s, const struct sizes *z,
                                      struct failure *f)
{
    const struct operation *op = s->operation;
    const dnnl_format_tag_t tag = z->weight_dimensions == 5 ? dnnl_goihw : dnnl_oihw;
    enum status status = onednn_layout(&s->image, 4, z->image, dnnl_nchw, f);
    if (status == STATUS_OK)
        status = onednn_layout(&s->map, 4, z->map, dnnl_nchw, f);
    if (status == STATUS_OK)
        status = onednn_layout(&s->weights, z->weight_dimensions, z->weights, tag, f);
    if (status == STATUS_OK)
        status = onednn_memory(&s->onednn, &s->image, NULL, f);
    if (status == STATUS_OK)
        status = onednn_memory(&s->onednn, &s->map, NULL, f);
    if (status == STATUS_OK)
        status = onednn_memory(&s->onednn, &s->weights, op->second.values, f);
    if (status != STATUS_OK || !op->third.values)
        return status;
    status = onednn_layout(&s->bias, 1, z->bias, dnnl_x, f);
    return status == STATUS_OK ? onednn_memory(&s->onednn, &s->bias, op->third.values, f) : status;
}

/* ---- the primitive ----------------------------------------------------------------------------
 */

/* Which layouts it would like: any, or the plain ones. */
static enum status describe(struct peer_state *s, const struct sizes *z, dnnl_format_tag_t tag,
                            dnnl_primitive_desc_t *out, struct failure *f)
{
    struct tensor image = {0}, map = {0}, weights = {0};
    dnnl_convolution_desc_t convolution;
    enum status status = onednn_layout(&image, 4, z->image, tag, f);
    if (status == STATUS_OK)
        status = onednn_layout(&map, 4, z->map, tag, f);
    if (status == STATUS_OK)
        status = onednn_layout(&weights, z->weight_dimensions, z->weights, dnnl_format_tag_any, f);
    if (status == STATUS_OK)
        status = onednn_check(dnnl_convolution_forward_desc_init(
                                  &convolution, dnnl_forward_inference, dnnl_convolution_direct,
                                  &image.layout, &weights.layout,
                                  s->bias.memory ? &s->bias.layout : NULL, &map.layout, z->strides,
                                  z->padding, z->padding),
                              "the convolution", f);
    return status == STATUS_OK ? onednn_check(dnnl_primitive_desc_create(out, &convolution, NULL,
                                                                         s->onednn.engine, NULL),
                                              "the convolution", f)
                               : status;
}

/* A tensor in the layout that the primitive chose. */
static enum status make_chosen(const struct peer_state *s, struct tensor *t,
                               const_dnnl_primitive_desc_t description, dnnl_query_t what,
                               struct failure *f)
{
    t->layout = *dnnl_primitive_desc_query_md(description, what, 0);
    return onednn_memory(&s->onednn, t, NULL, f);
}

static enum status reorder_weights(const struct peer_state *s, struct failure *f)
{
    struct step step = {0};
    enum status status = onednn_reorder(&s->onednn, &step, &s->weights, &s->chosen, f);
    if (status == STATUS_OK)
        status = onednn_run(&s->onednn, &step, f);
    step_release(&step);
    return status;
}

static enum status make_step(struct peer_state *s, dnnl_primitive_desc_t description,
                             const struct tensor *from, const struct tensor *to, struct failure *f)
{
    enum status status = make_chosen(s, &s->chosen, description, dnnl_query_weights_md, f);
    if (status == STATUS_OK)
        status = reorder_weights(s, f);
    if (status == STATUS_OK)
        status = onednn_step(&s->onednn, &s->convolve, description, f);
    step_add(&s->convolve, DNNL_ARG_SRC, from);
    step_add(&s->convolve, DNNL_ARG_WEIGHTS, &s->chosen);
    step_add(&s->convolve, DNNL_ARG_DST, to);
    if (s->bias.memory)
        step_add(&s->convolve, DNNL_ARG_BIAS, &s->bias);
    return status;
}

static enum status make_plain(struct peer_state *s, const struct sizes *z, struct failure *f)
{
    dnnl_primitive_desc_t description = NULL;
    enum status status = describe(s, z, dnnl_nchw, &description, f);
    if (status == STATUS_OK)
        status = make_step(s, description, &s->image, &s->map, f);
    dnnl_primitive_desc_destroy(description);
    return status;
}

static enum status make_blocked(struct peer_state *s, const struct sizes *z, struct failure *f)
{
    dnnl_primitive_desc_t description = NULL;
    enum status status = describe(s, z, dnnl_format_tag_any, &description, f);
    if (status == STATUS_OK)
        status = make_chosen(s, &s->source, description, dnnl_query_src_md, f);
    if (status == STATUS_OK)
        status = make_chosen(s, &s->target, description, dnnl_query_dst_md, f);
    if (status == STATUS_OK)
        status = onednn_reorder(&s->onednn, &s->reorder_in, &s->image, &s->source, f);
    if (status == STATUS_OK)
        status = onednn_reorder(&s->onednn, &s->reorder_out, &s->target, &s->map, f);
    if (status == STATUS_OK)
        status = make_step(s, description, &s->source, &s->target, f);
    if (status == STATUS_OK)
        status = onednn_run(&s->onednn, &s->reorder_in, f);
    dnnl_primitive_desc_destroy(description);
    return status;
}

/* ---- executing --------------------------------------------------------------------------------
 */

static enum status execute(struct peer_state *s, struct failure *f)
{
    return onednn_run(&s->onednn, &s->convolve, f);
}

static enum status execute_reordered(struct peer_state *s, struct failure *f)
{
    enum status status = onednn_run(&s->onednn, &s->reorder_in, f);
    if (status == STATUS_OK)
        status = onednn_run(&s->onednn, &s->convolve, f);
    return status == STATUS_OK ? onednn_run(&s->onednn, &s->reorder_out, f) : status;
}

/* The plain map becomes ours. */
static enum status deliver(struct peer_state *s, struct failure *f)
{
    const struct operation *op = s->operation;
    (void)f;
    interleave(s->map.own, map_planes(op), op->parameters.filters, s->to);
    tensor_poison(&s->map);
    return STATUS_OK;
}

static enum status deliver_blocked(struct peer_state *s, struct failure *f)
{
    const enum status status = onednn_run(&s->onednn, &s->reorder_out, f);
    tensor_poison(&s->target);
    return status == STATUS_OK ? deliver(s, f) : status;
}

static enum status deliver_reordered(struct peer_state *s, struct failure *f)
{
    tensor_poison(&s->source);
    tensor_poison(&s->target);
    return deliver(s, f);
}

/* ---- preparing --------------------------------------------------------------------------------
 */

static void release(struct peer_state *s)
{
    if (!s)
        return;
    struct step *const steps[] = {&s->convolve, &s->reorder_in, &s->reorder_out};
    struct tensor *const tensors[] = {&s->image,  &s->map,    &s->weights, &s->bias,
                                      &s->source, &s->target, &s->chosen};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        step_release(steps[i]);
    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
        tensor_release(tensors[i]);
    onednn_close(&s->onednn);
    free(s);
}

typedef enum status make_steps(struct peer_state *s, const struct sizes *z, struct failure *f);

/* Executes once too: the pages of the map then belong to the threads that write them. */
static enum status open_state(struct peer_state *s, const struct peer_job *job, make_steps *make,
                              struct failure *f)
{
    const struct operation *op = job->operation;
    const struct sizes z = sizes_of(op);
    s->operation = op;
    s->to = job->map;
    enum status status = onednn_open(&s->onednn, job->threads, f);
    if (status == STATUS_OK)
        status = make_plain_tensors(s, &z, f);
    if (status == STATUS_OK) {
        deinterleave(job->image, image_planes(op), op->parameters.channels, s->image.own);
        status = make(s, &z, f);
    }
    if (status == STATUS_OK)
        status = execute(s, f);
    if (status == STATUS_OK)
        tensor_poison(s->target.own ? &s->target : &s->map);
    return status;
}

static enum status prepare(const struct peer_job *job, make_steps *make, struct peer_state **out,
                           const char **isa, struct failure *f)
{
    struct peer_state *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return fail(f, STATUS_RESOURCE, "no memory for oneDNN");
    const enum status status = open_state(s, job, make, f);
    if (status != STATUS_OK) {
        release(s);
        return status;
    }
    *isa = s->onednn.name;
    *out = s;
    return STATUS_OK;
}

static enum status prepare_plain(const struct peer_job *job, struct peer_state **out,
                                 const char **isa, struct failure *f)
{
    return prepare(job, make_plain, out, isa, f);
}

static enum status prepare_blocked(const struct peer_job *job, struct peer_state **out,
                                   const char **isa, struct failure *f)
{
    return prepare(job, make_blocked, out, isa, f);
}

const struct peer peer_onednn_conv = {.refuses = refuses,
                                      .prepare = prepare_plain,
                                      .execute = execute,
                                      .deliver = deliver,
                                      .release = release};
const struct peer peer_onednn_conv_blocked = {.refuses = refuses,
                                              .prepare = prepare_blocked,
                                              .execute = execute,
                                              .deliver = deliver_blocked,
                                              .release = release};
const struct peer peer_onednn_conv_reordered = {.refuses = refuses,
                                                .prepare = prepare_blocked,
                                                .execute = execute_reordered,
                                                .deliver = deliver_reordered,
                                                .release = release};
