/* Max pooling by oneDNN (dnnl 2.6): forward inference with dnnl_pooling_max. Its padding never
 * wins, which is our pad mode ignore. It threads by itself, over planes and output rows.
 *
 * The image as it lies can be told to oneDNN in two ways: as nchw, all planes channels of one
 * image, which is what its user would write, and as nhwc, each plane an image of one channel. For
 * few or large planes oneDNN has vectorised code for the second and plain loops for the first, so
 * both are peers. In the blocked layout planes are channels again: where they come in whole blocks,
 * that is the memory that any split into batch and channels gives. */
#include "harness/machine/memory.h"
#include "peers/peers.h"

#include <omp.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One tensor: planes x rows x cols in one layout, over our memory or over its own. */
struct tensor {
    dnnl_memory_desc_t layout;
    dnnl_memory_t memory;
    void *own; /* NULL where the memory is the image or the map */
};

/* A primitive with its two arguments. */
struct step {
    dnnl_primitive_t primitive;
    dnnl_exec_arg_t arguments[2];
};

struct peer_state {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    struct tensor image, map;           /* over ours, as they lie */
    struct tensor blocked, blocked_map; /* its own; unset elsewhere */
    struct step pool, reorder_in, reorder_out;
    char name[96]; /* "oneDNN 2.6.3 jit:avx512_core": the implementation it chose */
};

/* Whether a step of oneDNN went well; the first failure is told. */
static enum status check(dnnl_status_t status, const char *what, struct failure *f)
{
    if (status == dnnl_success)
        return STATUS_OK;
    return fail(f, status == dnnl_unimplemented ? STATUS_UNAVAILABLE : STATUS_RESOURCE,
                "oneDNN: %s failed with its status %d", what, (int)status);
}

static const char *refuses(const struct operation *op)
{
    const struct geometry *g = &op->geometry;
    if (g->padding > 0 && g->pad_mode == PAD_ZERO)
        return "oneDNN's maximum leaves padding out: give --pad-mode ignore";
    return NULL;
}

/* ---- what it needs -------------------------------------------------------------------------- */

/* Blocks of as many channels as a vector register holds floats. */
static dnnl_format_tag_t blocked_tag(void)
{
    return dnnl_get_effective_cpu_isa() >= dnnl_cpu_isa_avx512_core ? dnnl_nChw16c : dnnl_nChw8c;
}

static enum status make_layout(struct tensor *t, struct image_shape shape, dnnl_format_tag_t tag,
                               struct failure *f)
{
    const bool batch = tag == dnnl_nhwc;
    const dnnl_dims_t dims = {batch ? shape.planes : 1, batch ? 1 : shape.planes, shape.rows,
                              shape.cols};
    return check(dnnl_memory_desc_init_by_tag(&t->layout, 4, dims, dnnl_f32, tag), "a layout", f);
}

/* `data` NULL: memory of its own, untouched, so that oneDNN's threads touch it first. */
static enum status make_tensor(const struct peer_state *s, struct tensor *t,
                               struct image_shape shape, dnnl_format_tag_t tag, float *data,
                               struct failure *f)
{
    enum status status = make_layout(t, shape, tag, f);
    if (status == STATUS_OK && !data) {
        const size_t bytes = dnnl_memory_desc_get_size(&t->layout);
        status = memory_check(bytes, "oneDNN's blocked layout", f);
        if (status == STATUS_OK)
            status = memory_allocate(&t->own, bytes, "oneDNN's blocked layout", f);
    }
    if (status != STATUS_OK)
        return status;
    return check(dnnl_memory_create(&t->memory, &t->layout, s->engine, data ? data : t->own),
                 "memory", f);
}

static enum status make_step(struct step *step, dnnl_primitive_desc_t description,
                             const struct tensor *from, const struct tensor *to, struct failure *f)
{
    step->arguments[0] = (dnnl_exec_arg_t){DNNL_ARG_FROM, from->memory};
    step->arguments[1] = (dnnl_exec_arg_t){DNNL_ARG_TO, to->memory};
    return check(dnnl_primitive_create(&step->primitive, description), "a primitive", f);
}

static enum status make_reorder(const struct peer_state *s, struct step *step,
                                const struct tensor *from, const struct tensor *to,
                                struct failure *f)
{
    dnnl_primitive_desc_t description = NULL;
    enum status status =
        check(dnnl_reorder_primitive_desc_create(&description, &from->layout, s->engine,
                                                 &to->layout, s->engine, NULL),
              "a reorder", f);
    if (status == STATUS_OK)
        status = make_step(step, description, from, to, f);
    dnnl_primitive_desc_destroy(description);
    return status;
}

static enum status make_pooling(struct peer_state *s, const struct geometry *g,
                                const struct tensor *from, const struct tensor *to,
                                struct failure *f)
{
    const dnnl_dims_t strides = {g->stride, g->stride}, kernel = {g->kernel, g->kernel};
    const dnnl_dims_t padding = {g->padding, g->padding};
    dnnl_primitive_desc_t description = NULL;
    dnnl_pooling_desc_t pooling;
    const char *name = "";
    enum status status = check(dnnl_pooling_forward_desc_init(
                                   &pooling, dnnl_forward_inference, dnnl_pooling_max,
                                   &from->layout, &to->layout, strides, kernel, padding, padding),
                               "the pooling", f);
    if (status == STATUS_OK)
        status = check(dnnl_primitive_desc_create(&description, &pooling, NULL, s->engine, NULL),
                       "the pooling", f);
    if (status == STATUS_OK)
        status = check(dnnl_primitive_desc_query(description, dnnl_query_impl_info_str, 0, &name),
                       "asking for the implementation", f);
    if (status == STATUS_OK)
        status = make_step(&s->pool, description, from, to, f);
    const dnnl_version_t *v = dnnl_version();
    snprintf(s->name, sizeof s->name, "oneDNN %d.%d.%d %s", v->major, v->minor, v->patch, name);
    dnnl_primitive_desc_destroy(description);
    return status;
}

/* ---- executing ------------------------------------------------------------------------------ */

static enum status run(const struct peer_state *s, const struct step *step, struct failure *f)
{
    enum status status = check(
        dnnl_primitive_execute(step->primitive, s->stream, 2, step->arguments), "an execution", f);
    return status == STATUS_OK ? check(dnnl_stream_wait(s->stream), "an execution", f) : status;
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

/* Not a number: what an execution leaves out can then not pass for the result of the one before. */
static void poison(const struct tensor *t)
{
    memset(t->own, 0xff, dnnl_memory_desc_get_size(&t->layout));
}

static enum status deliver(struct peer_state *s, struct failure *f)
{
    const enum status status = run(s, &s->reorder_out, f);
    poison(&s->blocked_map);
    return status;
}

static enum status poison_both(struct peer_state *s, struct failure *f)
{
    (void)f;
    poison(&s->blocked);
    poison(&s->blocked_map);
    return STATUS_OK;
}

/* ---- preparing ------------------------------------------------------------------------------ */

static void release(struct peer_state *s)
{
    if (!s)
        return;
    struct step *const steps[] = {&s->pool, &s->reorder_in, &s->reorder_out};
    struct tensor *const tensors[] = {&s->image, &s->map, &s->blocked, &s->blocked_map};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        dnnl_primitive_destroy(steps[i]->primitive);
    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
        dnnl_memory_destroy(tensors[i]->memory);
        free(tensors[i]->own);
    }
    dnnl_stream_destroy(s->stream);
    dnnl_engine_destroy(s->engine);
    free(s);
}

/* The engine, and the image and the map as they lie, by the name of a layout. */
static enum status open_state(struct peer_state *s, const struct peer_job *job,
                              dnnl_format_tag_t tag, struct failure *f)
{
    const struct operation *op = job->operation;
    omp_set_num_threads((int)job->threads); /* what oneDNN's primitives are made for and run with */
    enum status status = check(dnnl_engine_create(&s->engine, dnnl_cpu, 0), "an engine", f);
    if (status == STATUS_OK)
        status = check(dnnl_stream_create(&s->stream, s->engine, dnnl_stream_default_flags),
                       "a stream", f);
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

/* Executes once too: the pages of the blocked map then belong to the threads that write them. */
static enum status make_blocked(struct peer_state *s, const struct peer_job *job, struct failure *f)
{
    const struct operation *op = job->operation;
    const dnnl_format_tag_t tag = blocked_tag();
    enum status status = make_tensor(s, &s->blocked, op->image, tag, NULL, f);
    if (status == STATUS_OK)
        status = make_tensor(s, &s->blocked_map, op->map, tag, NULL, f);
    if (status == STATUS_OK)
        status = make_reorder(s, &s->reorder_in, &s->image, &s->blocked, f);
    if (status == STATUS_OK)
        status = make_pooling(s, &op->geometry, &s->blocked, &s->blocked_map, f);
    if (status == STATUS_OK)
        status = make_reorder(s, &s->reorder_out, &s->blocked_map, &s->map, f);
    if (status == STATUS_OK)
        status = execute_reordered(s, f);
    if (status == STATUS_OK)
        poison(&s->blocked_map);
    return status;
}

typedef enum status make_steps(struct peer_state *s, const struct peer_job *job, struct failure *f);

static enum status prepare(const struct peer_job *job, dnnl_format_tag_t tag, make_steps *make,
                           struct peer_state **out, const char **isa, struct failure *f)
{
    struct peer_state *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return fail(f, STATUS_RESOURCE, "no memory for oneDNN");
    enum status status = open_state(s, job, tag, f);
    if (status == STATUS_OK)
        status = make(s, job, f);
    if (status != STATUS_OK) {
        release(s);
        return status;
    }
    *isa = s->name;
    *out = s;
    return STATUS_OK;
}

static enum status prepare_nchw(const struct peer_job *job, struct peer_state **out,
                                const char **isa, struct failure *f)
{
    return prepare(job, dnnl_nchw, make_plain, out, isa, f);
}

static enum status prepare_nhwc(const struct peer_job *job, struct peer_state **out,
                                const char **isa, struct failure *f)
{
    return prepare(job, dnnl_nhwc, make_plain, out, isa, f);
}

static enum status prepare_blocked(const struct peer_job *job, struct peer_state **out,
                                   const char **isa, struct failure *f)
{
    return prepare(job, dnnl_nchw, make_blocked, out, isa, f);
}

const struct peer peer_onednn = {
    .refuses = refuses, .prepare = prepare_nchw, .execute = execute, .release = release};
const struct peer peer_onednn_nhwc = {
    .refuses = refuses, .prepare = prepare_nhwc, .execute = execute, .release = release};
const struct peer peer_onednn_blocked = {.refuses = refuses,
                                         .prepare = prepare_blocked,
                                         .execute = execute,
                                         .deliver = deliver,
                                         .release = release};
const struct peer peer_onednn_reordered = {.refuses = refuses,
                                           .prepare = prepare_blocked,
                                           .execute = execute_reordered,
                                           .deliver = poison_both,
                                           .release = release};
