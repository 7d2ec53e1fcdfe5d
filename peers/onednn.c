/* Max pooling by oneDNN (dnnl 2 and 3): forward inference with dnnl_pooling_max. Its padding never
 * wins, which is our pad mode ignore. It uses threads itself, over planes and output rows.
 *
 * The image in memory order can be described to oneDNN in two ways: as nchw, with all planes as
 * channels of one image, which is what its user would write; and as nhwc, with each plane as an
 * image of one channel. For few or large planes oneDNN has vectorised code for the second and plain
 * loops for the first, so both are peers. In the blocked layout planes are channels again: if they
 * fill whole blocks, the memory is the same for any split into batch and channels. */
#include "peers/onednn_parts.h"
#include "peers/peers.h"

#include <stdlib.h>

struct peer_state {
    struct onednn onednn;
    struct tensor image, map;           /* in our memory, in memory order */
    struct tensor blocked, blocked_map; /* in its own; unset for plain layouts */
    struct onednn_step pool, reorder_in, reorder_out;
};

static const char *refuses(const struct operation *op)
{
    const struct geometry *g = &op->geometry;
    if (g->padding > 0 && g->pad_mode == PAD_ZERO)
        return "oneDNN's maximum leaves padding out: give --pad-mode ignore";
    return NULL;
}

/* ---- what it needs -------------------------------------------------------------------------- */

/* Returns the layout whose blocks have as many channels as a vector register has floats. */
static dnnl_format_tag_t blocked_tag(void)
{
    return dnnl_get_effective_cpu_isa() >= dnnl_cpu_isa_avx512_core ? dnnl_nChw16c : dnnl_nChw8c;
}

/* `data` NULL: the tensor has memory of its own. */
static enum status make_tensor(const struct peer_state *s, struct tensor *t,
                               struct image_shape shape, dnnl_format_tag_t tag, float *data,
                               struct failure *f)
{
    const bool batch = tag == dnnl_nhwc;
    const dnnl_dims_t lengths = {batch ? shape.planes : 1, batch ? 1 : shape.planes, shape.rows,
                                 shape.cols};
    const enum status status = onednn_set_layout(t, 4, lengths, tag, f);
    return status == STATUS_OK ? onednn_memory(&s->onednn, t, data, f) : status;
}

static enum status make_pooling(struct peer_state *s, const struct geometry *g,
                                const struct tensor *from, const struct tensor *to,
                                struct failure *f)
{
    const struct onednn_operation op = {.engine = s->onednn.engine,
                                        .image = from->layout,
                                        .map = to->layout,
                                        .kernel = {g->kernel, g->kernel},
                                        .strides = {g->stride, g->stride},
                                        .padding = {g->padding, g->padding}};
    dnnl_primitive_desc_t description = NULL;
    enum status status =
        onednn_check(describe_pooling(&description, &op, dnnl_pooling_max), "the pooling", f);
    if (status == STATUS_OK)
        status = onednn_step(&s->onednn, &s->pool, description, f);
    step_add(&s->pool, DNNL_ARG_SRC, from);
    step_add(&s->pool, DNNL_ARG_DST, to);
    dnnl_primitive_desc_destroy(description);
    return status;
}

/* ---- executing ------------------------------------------------------------------------------ */

static enum status run(const struct peer_state *s, const struct onednn_step *step,
                       struct failure *f)
{
    return onednn_run(&s->onednn, step, f);
}

static enum status execute(struct peer_state *s, struct failure *f)
{
    return run(s, &s->pool, f);
}

static enum status execute_reordered(struct peer_state *s, struct failure *f)
{
    enum status status = run(s, &s->reorder_in, f);
    if (status == STATUS_OK)
        status = run(s, &s->pool, f);
    return status == STATUS_OK ? run(s, &s->reorder_out, f) : status;
}

static enum status deliver(struct peer_state *s, struct failure *f)
{
    const enum status status = run(s, &s->reorder_out, f);
    tensor_poison(&s->blocked_map);
    return status;
}

static enum status poison_both(struct peer_state *s, struct failure *f)
{
    (void)f;
    tensor_poison(&s->blocked);
    tensor_poison(&s->blocked_map);
    return STATUS_OK;
}

/* ---- preparing ------------------------------------------------------------------------------ */

static void release(struct peer_state *s)
{
    struct onednn_step *const steps[] = {&s->pool, &s->reorder_in, &s->reorder_out};
    struct tensor *const tensors[] = {&s->image, &s->map, &s->blocked, &s->blocked_map};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        step_release(steps[i]);
    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
        tensor_release(tensors[i]);
    onednn_close(&s->onednn);
}

/* Opens the engine, and describes image and map in memory order by the name of a layout. */
static enum status open_state(struct peer_state *s, const struct peer_job *job,
                              dnnl_format_tag_t tag, struct failure *f)
{
    const struct operation *op = job->operation;
    enum status status = onednn_open(&s->onednn, job->threads, f);
    if (status == STATUS_OK)
        status = make_tensor(s, &s->image, op->image, tag, job->image, f);
    if (status == STATUS_OK)
        status = make_tensor(s, &s->map, op->map, tag, job->map, f);
    return status;
}

static enum status make_plain(struct peer_state *s, const struct peer_job *job, struct failure *f)
{
    return make_pooling(s, &job->operation->geometry, &s->image, &s->map, f);
}

/* Also executes once: the threads that write the blocked map then touch its pages first. */
static enum status make_blocked(struct peer_state *s, const struct peer_job *job, struct failure *f)
{
    const struct operation *op = job->operation;
    const dnnl_format_tag_t tag = blocked_tag();
    enum status status = make_tensor(s, &s->blocked, op->image, tag, NULL, f);
    if (status == STATUS_OK)
        status = make_tensor(s, &s->blocked_map, op->map, tag, NULL, f);
    if (status == STATUS_OK)
        status = onednn_reorder(&s->onednn, &s->reorder_in, &s->image, &s->blocked, f);
    if (status == STATUS_OK)
        status = make_pooling(s, &op->geometry, &s->blocked, &s->blocked_map, f);
    if (status == STATUS_OK)
        status = onednn_reorder(&s->onednn, &s->reorder_out, &s->blocked_map, &s->map, f);
    if (status == STATUS_OK)
        status = execute_reordered(s, f);
    if (status == STATUS_OK)
        tensor_poison(&s->blocked_map);
    return status;
}

/* What distinguishes the peers: the layout by whose name image and map are described, and how the
 * steps are made. */
struct way {
    dnnl_format_tag_t tag;
    enum status (*make)(struct peer_state *s, const struct peer_job *job, struct failure *f);
};

static enum status prepare(const struct peer_job *job, struct peer_state *s, const char **isa,
                           struct failure *f)
{
    const struct way *way = job->way;
    enum status status = open_state(s, job, way->tag, f);
    if (status == STATUS_OK)
        status = way->make(s, job, f);
    *isa = s->onednn.name;
    return status;
}

/* A macro, because only a macro can be an initializer. */
#define PEER(tag, make, ...)                                                                       \
    {                                                                                              \
        .refuses = refuses, .state_bytes = sizeof(struct peer_state), .prepare = prepare,          \
        .release = release, .way = &(const struct way){tag, make}, __VA_ARGS__                     \
    }
const struct peer peer_onednn = PEER(dnnl_nchw, make_plain, .execute = execute);
const struct peer peer_onednn_nhwc = PEER(dnnl_nhwc, make_plain, .execute = execute);
const struct peer peer_onednn_blocked =
    PEER(dnnl_nchw, make_blocked, .execute = execute, .deliver = deliver);
const struct peer peer_onednn_reordered =
    PEER(dnnl_nchw, make_blocked, .execute = execute_reordered, .deliver = poison_both);
