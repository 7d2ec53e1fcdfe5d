#include "cuda/network/run.h"

#include "cuda/nvml.h"
#include "harness/base/clock.h"
#include "kernels/min_max.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the device array of one of the host's arrays. */
static float *device_address(const struct device_run *r, const struct forward *w, const float *host)
{
    if (host == w->input)
        return r->input;
    return host == w->output ? r->output : r->arena + (host - w->arena);
}

static struct layer_arrays arrays_of(const struct device_run *r, const struct forward *w, int i)
{
    const struct step *s = &w->plan.steps[i];
    return (struct layer_arrays){.from = device_address(r, w, s->from),
                                 .residual = s->residual ? device_address(r, w, s->residual) : NULL,
                                 .to = device_address(r, w, s->to),
                                 .parts = r->parts};
}

static enum status run_layer(const struct device_run *r, const struct forward *w, int i,
                             struct failure *f)
{
    const struct layer_arrays a = arrays_of(r, w, i);
    return device_layer_run(&r->layers[i], &r->engine, &a, r->stream, f);
}

/* What is queued to run all layers. */
struct queueing {
    const struct device_run *run;
    const struct forward *forward;
};

static enum status queue_layers(void *context, struct failure *f)
{
    const struct queueing *q = context;
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < q->run->count; i++)
        status = run_layer(q->run, q->forward, i, f);
    return status;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static enum status allocate(float **to, size_t bytes, struct failure *f)
{
    return bytes > 0 ? CUDA(device_malloc((void **)to, bytes), f) : STATUS_OK;
}

static enum status open_arrays(struct device_run *r, const struct forward *w, struct failure *f)
{
    const struct plan *p = &w->plan;
    int64_t parts = 0;
    for (int i = 0; i < r->count; i++)
        parts = larger(parts, r->layers[i].parts);
    const size_t elements = (size_t)p->batch * (size_t)tensor_elements(p->network->input);
    r->input_bytes = elements * sizeof(float);
    r->arena_bytes = p->arena_floats * sizeof(float);
    r->output_bytes = (size_t)forward_outputs(w) * sizeof(float);
    enum status status = allocate(&r->input, r->input_bytes, f);
    if (status == STATUS_OK)
        status = allocate(&r->arena, r->arena_bytes, f);
    if (status == STATUS_OK)
        status = allocate(&r->output, r->output_bytes, f);
    return status == STATUS_OK ? allocate(&r->parts, (size_t)parts * sizeof(float), f) : status;
}

static enum status open_events(struct device_run *r, struct failure *f)
{
    enum status status = CUDA(cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking), f);
    if (status == STATUS_OK)
        status = device_events_open(r->marks, BATCH_MARKS, f);
    return status == STATUS_OK ? device_events_open(r->ends, r->count + 1, f) : status;
}

static enum status open_layers(struct device_run *r, struct plan *p, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < r->count; i++)
        status = device_layer_open(&r->layers[i], &p->steps[i], p, &r->engine, f);
    return status;
}

/* Chooses between the ways of each layer, on what the first run left. */
static enum status choose_ways(struct device_run *r, const struct forward *w, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && r->engine.peer && i < r->count; i++) {
        const struct layer_arrays a = arrays_of(r, w, i);
        status = device_layer_choose(&r->layers[i], &r->engine, &a, r->stream, f);
    }
    return status;
}

static enum status run_first(struct device_run *r, struct forward *w, struct failure *f)
{
    struct phases phases;
    const bool clocked = w->clocked;
    const double start = clock_now();
    w->clocked = false; /* not this run: it loads kernels */
    const enum status status = device_run_batch(r, w, &phases, f);
    w->clocked = clocked;
    r->first_launch_s = clock_now() - start;
    return status == STATUS_OK ? choose_ways(r, w, f) : status;
}

/* Captures the launches of all layers. The copies stay outside: they are timed by themselves, the
 * cache is emptied between, and pageable memory cannot be copied in a capture. */
static enum status open_graph(struct device_run *r, struct forward *w, struct failure *f)
{
    struct queueing q = {r, w};
    enum status status = graph_capture(&r->graph, queue_layers, &q, r->stream, f);
    return status == STATUS_OK && r->compares
               ? graph_compare(&r->graph, queue_layers, &q, r->stream, &r->between_share, f)
               : status;
}

enum status device_run_open(struct device_run *r, struct forward *w, bool warm_cache,
                            struct failure *f)
{
    const size_t steps = (size_t)w->plan.count;
    r->layers = calloc(steps, sizeof *r->layers);
    r->ends = calloc(steps + 1, sizeof *r->ends);
    if (!r->layers || !r->ends)
        return fail(f, STATUS_RESOURCE, "no memory for %zu layers", steps);
    r->count = w->plan.count;
    enum status status = open_events(r, f);
    if (status == STATUS_OK)
        status = open_layers(r, &w->plan, f);
    if (status == STATUS_OK)
        status = open_arrays(r, w, f);
    if (status == STATUS_OK && !warm_cache)
        status = flush_open(&r->flush, r->engine.device, f);
    if (status == STATUS_OK)
        status = run_first(r, w, f);
    return status == STATUS_OK && r->captures ? open_graph(r, w, f) : status;
}

void device_run_close(struct device_run *r)
{
    if (r->stream)
        cudaStreamSynchronize(r->stream); /* nothing may still be reading what is freed */
    graph_close(&r->graph);
    for (int i = 0; r->layers && i < r->count; i++)
        device_layer_close(&r->layers[i], &r->engine);
    device_events_close(r->marks, BATCH_MARKS);
    device_events_close(r->ends, r->count + 1);
    device_stream_close(&r->stream);
    cudaFree(r->input);
    cudaFree(r->arena);
    cudaFree(r->output);
    cudaFree(r->parts);
    flush_close(&r->flush);
    free(r->layers);
    free(r->ends);
}

/* ---- the steps of a batch ---------------------------------------------------------------------
 */

static enum status mark(const struct device_run *r, cudaEvent_t event, struct failure *f)
{
    return CUDA(cudaEventRecord(event, r->stream), f);
}

static enum status wait_for(const struct device_run *r, struct failure *f)
{
    return CUDA(cudaStreamSynchronize(r->stream), f);
}

static enum status send(const struct device_run *r, const struct forward *w, struct failure *f)
{
    enum status status = mark(r, r->marks[BATCH_SENDING], f);
    if (status == STATUS_OK)
        status = CUDA(
            cudaMemcpyAsync(r->input, w->input, r->input_bytes, cudaMemcpyHostToDevice, r->stream),
            f);
    if (status == STATUS_OK)
        status = mark(r, r->marks[BATCH_SENT], f);
    return status == STATUS_OK ? wait_for(r, f) : status;
}

static bool marks_layers(const struct forward *w)
{
    return w->clocked || w->traced;
}

/* Runs all layers: by the graph, if there is one. */
static enum status run_layers(const struct device_run *r, const struct forward *w,
                              struct failure *f)
{
    struct queueing q = {r, w};
    return r->graph.launches ? graph_launch(&r->graph, r->stream, f) : queue_layers(&q, f);
}

/* The same with an event after each layer. */
static enum status run_marked_layers(const struct device_run *r, const struct forward *w,
                                     struct failure *f)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < r->count; i++) {
        status = run_layer(r, w, i, f);
        if (status == STATUS_OK && i < r->count - 1)
            status = mark(r, r->ends[i + 1], f);
    }
    return status;
}

/* Records an event after each layer if layers are timed or traced. Reads clock and power while the
 * device computes, if the last batch took long. */
static enum status compute(const struct device_run *r, const struct forward *w,
                           struct phases *phases, struct failure *f)
{
    enum status status = mark(r, r->ends[0], f);
    if (status == STATUS_OK)
        status = marks_layers(w) ? run_marked_layers(r, w, f) : run_layers(r, w, f);
    if (status == STATUS_OK)
        status = mark(r, r->ends[r->count], f);
    if (status == STATUS_OK && r->nvml && r->computes_long)
        nvml_read(r->nvml, phases);
    return status == STATUS_OK ? wait_for(r, f) : status;
}

enum status device_run_read(struct device_run *r, const struct forward *w, struct phases *phases,
                            struct failure *f)
{
    r->computes_long = nvml_fits(r->nvml, phases->device_compute_s);
    if (!r->nvml || phases->throttle[0])
        return STATUS_OK;
    const enum status status = run_layers(r, w, f);
    if (status == STATUS_OK)
        nvml_read(r->nvml, phases);
    return status == STATUS_OK ? wait_for(r, f) : status;
}

static enum status collect(const struct device_run *r, const struct forward *w, struct failure *f)
{
    enum status status = mark(r, r->marks[BATCH_COLLECTING], f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemcpyAsync(w->output, r->output, r->output_bytes, cudaMemcpyDeviceToHost,
                                      r->stream),
                      f);
    if (status == STATUS_OK)
        status = mark(r, r->marks[BATCH_COLLECTED], f);
    return status == STATUS_OK ? wait_for(r, f) : status;
}

/* ---- times ------------------------------------------------------------------------------------
 */

/* Records how long each layer took, and for a trace when, on the host's clock. The first layer
 * counts from when the host began to submit. */
static enum status clock_layers(const struct device_run *r, struct forward *w, double submitted,
                                struct failure *f)
{
    enum status status = STATUS_OK;
    double before = 0.0;
    for (int i = 0; status == STATUS_OK && i < r->count; i++) {
        double now = 0.0;
        status = device_seconds(r->ends[0], r->ends[i + 1], &now, f);
        if (status == STATUS_OK && w->clocked)
            forward_add_time(w, i, now - before);
        if (w->marks)
            w->marks[i] = (struct mark){submitted + before, submitted + now};
        before = now;
    }
    return status;
}

static enum status device_times(const struct device_run *r, struct phases *phases,
                                struct failure *f)
{
    const cudaEvent_t *at = r->marks;
    enum status status =
        device_seconds(at[BATCH_SENDING], at[BATCH_SENT], &phases->device_distribute_s, f);
    if (status == STATUS_OK)
        status = device_seconds(r->ends[0], r->ends[r->count], &phases->device_compute_s, f);
    if (status == STATUS_OK)
        status =
            device_seconds(at[BATCH_COLLECTING], at[BATCH_COLLECTED], &phases->device_collect_s, f);
    return status;
}

enum status device_run_batch(struct device_run *r, struct forward *w, struct phases *phases,
                             struct failure *f)
{
    struct batch_times *t = &r->times;
    *phases = phases_none();
    const double start = clock_now();
    enum status status = send(r, w, f);
    const double sent = clock_now();
    if (status == STATUS_OK)
        status = flush_cache(&r->flush, f); /* not part of the total */
    t->sent = clock_now();
    t->began = start + (t->sent - sent);
    if (status == STATUS_OK)
        status = compute(r, w, phases, f);
    t->computed = clock_now();
    if (status == STATUS_OK)
        status = collect(r, w, f);
    t->collected = clock_now();
    phases->distribute_s = t->sent - t->began;
    phases->compute_s = t->computed - t->sent;
    phases->collect_s = t->collected - t->computed;
    phases->total_s = t->collected - t->began;
    phases->first_launch_s = r->first_launch_s;
    if (status == STATUS_OK)
        status = device_times(r, phases, f);
    if (status == STATUS_OK && marks_layers(w))
        status = clock_layers(r, w, t->sent, f);
    return status;
}

/* ---- verification -----------------------------------------------------------------------------
 */

static enum status poison_array(const struct device_run *r, float *array, size_t bytes,
                                struct failure *f)
{
    return bytes > 0 ? CUDA(cudaMemsetAsync(array, 0xff, bytes, r->stream), f) : STATUS_OK;
}

/* For example "cudnn 9.1.0, algorithm 1, math 3, fused", followed after a semicolon by what differs
 * in other layers. */
void device_run_name(const struct device_run *r, char *text, size_t size)
{
    char choices[512] = "; ";
    snprintf(text, size, "%s", r->engine.peer ? "" : "own");
    for (int i = 0; i < r->count; i++) {
        const char *name = r->layers[i].peer_name;
        const char *choice = name ? strstr(name, ", ") : NULL;
        char one[96];
        if (!choice)
            continue;
        snprintf(one, sizeof one, "; %s%s; ", choice + 2, r->layers[i].fused ? ", fused" : "");
        if (strstr(choices, one))
            continue;
        snprintf(choices + strlen(choices), sizeof choices - strlen(choices), "%s", one + 2);
        one[strlen(one) - 2] = 0;
        if (text[0])
            snprintf(text + strlen(text), size - strlen(text), "%s", one);
        else
            snprintf(text, size, "%.*s, %s", (int)(choice - name), name, one + 2);
    }
}

enum status device_run_poison(const struct device_run *r, struct forward *w, struct failure *f)
{
    memset(w->output, 0xff, r->output_bytes);
    enum status status = poison_array(r, r->input, r->input_bytes, f);
    if (status == STATUS_OK)
        status = poison_array(r, r->arena, r->arena_bytes, f);
    if (status == STATUS_OK)
        status = poison_array(r, r->output, r->output_bytes, f);
    return status == STATUS_OK ? wait_for(r, f) : status;
}

enum status device_run_step(struct forward *w, int step, struct failure *f)
{
    const struct device_run *r = w->device_context;
    const struct step *s = &w->plan.steps[step];
    const size_t bytes = (size_t)(s->images * tensor_elements(s->out)) * sizeof(float);
    enum status status = STATUS_OK;
    if (step == 0)
        status = device_run_poison(r, w, f);
    if (status == STATUS_OK && step == 0)
        status = send(r, w, f);
    if (status == STATUS_OK)
        status = run_layer(r, w, step, f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemcpyAsync(s->to, device_address(r, w, s->to), bytes,
                                      cudaMemcpyDeviceToHost, r->stream),
                      f);
    return status == STATUS_OK ? wait_for(r, f) : status;
}
