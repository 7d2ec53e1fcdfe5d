/* Convolution by oneDNN (dnnl 2 and 3) with its direct algorithms, which are exact for small
 * integers: forward inference, and the data and weight gradients. Its user's image is N x C x H x
 * W, so ours is converted to that order before any time is measured, and the result is converted
 * back after. Weights that are inputs are reordered once, also before any time is measured, as
 * users do who keep them. */
#include "kernels/conv/methods.h"
#include "kernels/interleave.h"
#include "peers/onednn_parts.h"
#include "peers/peers.h"

/* The operands of a convolution, whichever of them is computed. */
enum tensor_role { IMAGE, WEIGHTS, MAP, ROLES };

/* A direction: which operand is computed from the two others, and oneDNN's names for them. */
struct direction {
    enum tensor_role result;
    int arguments[ROLES];
    dnnl_query_t queries[ROLES];
};

static const struct direction to_outputs = {
    MAP,
    {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
    {dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md}};
static const struct direction to_data = {
    IMAGE,
    {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST},
    {dnnl_query_diff_src_md, dnnl_query_weights_md, dnnl_query_diff_dst_md}};
static const struct direction to_weights = {
    WEIGHTS,
    {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST},
    {dnnl_query_src_md, dnnl_query_diff_weights_md, dnnl_query_diff_dst_md}};

/* Image and map in memory order, N x C x H x W; or kept in the layouts that oneDNN chooses; or the
 * latter with the reorders counted. */
enum layouts { UNCHANGED, KEPT, REORDERED };

/* What distinguishes the peers. */
struct way {
    const struct direction *direction;
    enum layouts layouts;
};

/* The sizes of the operation in oneDNN's dimensions. */
struct sizes {
    dnnl_dims_t of[ROLES], bias, strides, padding;
    int dimensions[ROLES]; /* of the weights 5 with groups */
};

struct peer_state {
    struct onednn onednn;
    const struct operation *operation;
    const struct direction *direction;
    enum layouts layouts;
    float *to;                   /* the map in our layout */
    struct tensor plain[ROLES];  /* N x C x H x W, K x C/G x k x k */
    struct tensor chosen[ROLES]; /* in the primitive's layout, if it differs */
    struct tensor bias;
    struct onednn_step convolve, reorders[ROLES]; /* to the chosen layout; of the result, from it */
};

/* ---- shapes -----------------------------------------------------------------------------------
 */

static struct sizes sizes_of(const struct operation *op)
{
    const struct parameters *p = &op->parameters;
    const struct geometry *g = &op->geometry;
    const int64_t groups = p->groups, k = p->kernel;
    struct sizes s = {.of = {{p->batch, p->channels, g->rows, g->cols},
                             {p->filters, p->channels, k, k},
                             {p->batch, p->filters, g->out_rows, g->out_cols}},
                      .bias = {p->filters},
                      .strides = {p->stride, p->stride},
                      .padding = {p->padding, p->padding},
                      .dimensions = {4, 4, 4}};
    if (groups > 1) {
        const dnnl_dims_t grouped = {groups, p->filters / groups, p->channels / groups, k, k};
        for (int i = 0; i < 5; i++)
            s.of[WEIGHTS][i] = grouped[i];
        s.dimensions[WEIGHTS] = 5;
    }
    return s;
}

/* Returns the operand if its user has it already, or NULL: oneDNN's own memory. */
static float *given(const struct peer_state *s, enum tensor_role role)
{
    if (role == IMAGE || role == s->direction->result)
        return NULL;
    return role == WEIGHTS ? s->operation->operands[OPERAND_WEIGHTS].values
                           : s->operation->operands[OPERAND_D_OUTPUT].values;
}

/* Makes the tensors in the layouts that a user has. */
static enum status make_plain_tensors(struct peer_state *s, const struct sizes *z,
                                      struct failure *f)
{
    const struct operation *op = s->operation;
    const dnnl_format_tag_t tags[ROLES] = {
        dnnl_nchw, z->dimensions[WEIGHTS] == 5 ? dnnl_goihw : dnnl_oihw, dnnl_nchw};
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < ROLES; i++) {
        status = onednn_set_layout(&s->plain[i], z->dimensions[i], z->of[i], tags[i], f);
        if (status == STATUS_OK)
            status = onednn_memory(&s->onednn, &s->plain[i], given(s, (enum tensor_role)i), f);
    }
    if (status != STATUS_OK || !op->operands[OPERAND_BIAS].values)
        return status;
    status = onednn_set_layout(&s->bias, 1, z->bias, dnnl_x, f);
    return status == STATUS_OK
               ? onednn_memory(&s->onednn, &s->bias, op->operands[OPERAND_BIAS].values, f)
               : status;
}

/* ---- the primitive ----------------------------------------------------------------------------
 */

/* Sets the layouts that oneDNN may choose: any, except for image and map if they stay in memory
 * order. */
static enum status wish(const struct peer_state *s, const struct sizes *z,
                        struct tensor wishes[ROLES], struct failure *f)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < ROLES; i++) {
        const bool fixed = s->layouts == UNCHANGED && i != WEIGHTS;
        status = onednn_set_layout(&wishes[i], z->dimensions[i], z->of[i],
                                   fixed ? dnnl_nchw : dnnl_format_tag_any, f);
    }
    return status;
}

static enum status describe_gradient(const struct peer_state *s, const struct onednn_operation *op,
                                     dnnl_primitive_desc_t *out, struct failure *f)
{
    struct onednn_operation gradient = *op;
    dnnl_primitive_desc_t forward = NULL;
    enum status status = onednn_check(describe_convolution(&forward, op, dnnl_forward_training),
                                      "the convolution", f);
    gradient.bias = NULL;
    if (status == STATUS_OK)
        status = onednn_check(s->direction->result == IMAGE
                                  ? describe_data_gradient(out, &gradient, forward)
                                  : describe_weight_gradient(out, &gradient, forward),
                              "the gradient", f);
    dnnl_primitive_desc_destroy(forward);
    return status;
}

static enum status describe(const struct peer_state *s, const struct sizes *z,
                            dnnl_primitive_desc_t *out, struct failure *f)
{
    struct tensor wishes[ROLES] = {0};
    enum status status = wish(s, z, wishes, f);
    const struct onednn_operation op = {.engine = s->onednn.engine,
                                        .image = wishes[IMAGE].layout,
                                        .weights = wishes[WEIGHTS].layout,
                                        .bias = s->bias.layout,
                                        .map = wishes[MAP].layout,
                                        .strides = {z->strides[0], z->strides[1]},
                                        .padding = {z->padding[0], z->padding[1]}};
    if (status == STATUS_OK)
        status = s->direction->result == MAP
                     ? onednn_check(describe_convolution(out, &op, dnnl_forward_inference),
                                    "the convolution", f)
                     : describe_gradient(s, &op, out, f);
    for (int i = 0; i < ROLES; i++)
        tensor_release(&wishes[i]);
    return status;
}

static struct tensor *used(struct peer_state *s, int role)
{
    return s->chosen[role].memory ? &s->chosen[role] : &s->plain[role];
}

/* Makes an operand in the layout that the primitive chose, and the reorder between it and the plain
 * one; neither if both layouts are the same. Inputs are reordered at least once, here. */
static enum status choose(struct peer_state *s, const_dnnl_primitive_desc_t description,
                          enum tensor_role role, struct failure *f)
{
    struct tensor *plain = &s->plain[role], *chosen = &s->chosen[role];
    const bool is_result = role == s->direction->result;
    const onednn_seen_layout wanted =
        dnnl_primitive_desc_query_md(description, s->direction->queries[role], 0);
    if (dnnl_memory_desc_equal(wanted, plain->layout))
        return STATUS_OK;
    enum status status = onednn_copy_layout(chosen, wanted, f);
    if (status == STATUS_OK)
        status = onednn_memory(&s->onednn, chosen, NULL, f);
    if (status == STATUS_OK)
        status = onednn_reorder(&s->onednn, &s->reorders[role], is_result ? chosen : plain,
                                is_result ? plain : chosen, f);
    return status == STATUS_OK && !is_result ? onednn_run(&s->onednn, &s->reorders[role], f)
                                             : status;
}

static enum status make_step(struct peer_state *s, dnnl_primitive_desc_t description,
                             struct failure *f)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < ROLES; i++)
        status = choose(s, description, (enum tensor_role)i, f);
    if (status == STATUS_OK)
        status = onednn_step(&s->onednn, &s->convolve, description, f);
    for (int i = 0; i < ROLES; i++)
        step_add(&s->convolve, s->direction->arguments[i], used(s, i));
    if (s->bias.memory)
        step_add(&s->convolve, DNNL_ARG_BIAS, &s->bias);
    return status;
}

/* ---- executing --------------------------------------------------------------------------------
 */

/* Reorders an operand that has its own layout; does nothing otherwise. */
static enum status reorder(const struct peer_state *s, int role, struct failure *f)
{
    return s->reorders[role].primitive ? onednn_run(&s->onednn, &s->reorders[role], f) : STATUS_OK;
}

/* Reorders the inputs image and output gradient; weights are packed before the clock starts. */
static enum status reorder_in(const struct peer_state *s, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < ROLES; i++)
        if (i != WEIGHTS && i != (int)s->direction->result)
            status = reorder(s, i, f);
    return status;
}

static enum status execute(struct peer_state *s, struct failure *f)
{
    enum status status = s->layouts == REORDERED ? reorder_in(s, f) : STATUS_OK;
    if (status == STATUS_OK)
        status = onednn_run(&s->onednn, &s->convolve, f);
    return status == STATUS_OK && s->layouts != KEPT ? reorder(s, s->direction->result, f) : status;
}

/* Fills everything that an execution is to write with NaN: what it omits must not pass for an
 * earlier result. */
static void poison(const struct peer_state *s)
{
    for (int i = 0; i < ROLES; i++) {
        const bool is_result = i == (int)s->direction->result;
        const bool is_written = is_result || (s->layouts == REORDERED && i != WEIGHTS);
        if (is_result)
            tensor_poison(&s->plain[i]);
        if (is_written && s->chosen[i].own)
            tensor_poison(&s->chosen[i]);
    }
}

/* Converts the plain result to our layout. */
static enum status deliver(struct peer_state *s, struct failure *f)
{
    const struct operation *op = s->operation;
    const enum tensor_role result = s->direction->result;
    const enum status status = s->layouts == KEPT ? reorder(s, result, f) : STATUS_OK;
    interleave(s->plain[result].own, map_planes(op), op->kind->map_channels(op), s->to);
    poison(s);
    return status;
}

/* ---- preparing --------------------------------------------------------------------------------
 */

static void release(struct peer_state *s)
{
    for (int i = 0; i < ROLES; i++) {
        step_release(&s->reorders[i]);
        tensor_release(&s->plain[i]);
        tensor_release(&s->chosen[i]);
    }
    step_release(&s->convolve);
    tensor_release(&s->bias);
    onednn_close(&s->onednn);
}

/* Also executes once: the threads that write the result then touch its pages first. */
static enum status open_state(struct peer_state *s, const struct peer_job *job, struct failure *f)
{
    const struct operation *op = s->operation;
    const struct sizes z = sizes_of(op);
    dnnl_primitive_desc_t description = NULL;
    enum status status = onednn_open(&s->onednn, job->threads, f);
    if (status == STATUS_OK)
        status = make_plain_tensors(s, &z, f);
    if (status != STATUS_OK)
        return status;
    if (s->direction->result != IMAGE)
        deinterleave(job->image, image_planes(op), op->parameters.channels, s->plain[IMAGE].own);
    status = describe(s, &z, &description, f);
    if (status == STATUS_OK)
        status = make_step(s, description, f);
    if (status == STATUS_OK)
        status = execute(s, f);
    if (status == STATUS_OK)
        poison(s);
    dnnl_primitive_desc_destroy(description);
    return status;
}

static enum status prepare(const struct peer_job *job, struct peer_state *s, const char **isa,
                           struct failure *f)
{
    const struct way *way = job->way;
    s->operation = job->operation;
    s->direction = way->direction;
    s->layouts = way->layouts;
    s->to = job->map;
    *isa = s->onednn.name;
    return open_state(s, job, f);
}

/* A macro, because only a macro can be an initializer. */
#define PEER(refusing, ...)                                                                        \
    {                                                                                              \
        .refuses = refusing, .state_bytes = sizeof(struct peer_state), .prepare = prepare,         \
        .execute = execute, .deliver = deliver, .release = release, .way = &(const struct way)     \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
const struct peer peer_onednn_conv = PEER(conv_refuses_epilogue, &to_outputs, UNCHANGED);
const struct peer peer_onednn_conv_blocked = PEER(conv_refuses_epilogue, &to_outputs, KEPT);
const struct peer peer_onednn_conv_reordered = PEER(conv_refuses_epilogue, &to_outputs, REORDERED);
const struct peer peer_onednn_data_gradient = PEER(NULL, &to_data, UNCHANGED);
const struct peer peer_onednn_data_gradient_blocked = PEER(NULL, &to_data, KEPT);
const struct peer peer_onednn_data_gradient_reordered = PEER(NULL, &to_data, REORDERED);
const struct peer peer_onednn_weight_gradient = PEER(NULL, &to_weights, UNCHANGED);
const struct peer peer_onednn_weight_gradient_blocked = PEER(NULL, &to_weights, KEPT);
const struct peer peer_onednn_weight_gradient_reordered = PEER(NULL, &to_weights, REORDERED);
