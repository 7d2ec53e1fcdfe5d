#include "cuda/network/train.h"

#include "cuda/nvml.h"
#include "harness/base/clock.h"
#include "kernels/min_max.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct device_trainer *device_of(const struct trainer *t)
{
    return t->where.device->context;
}

/* ---- arrays -----------------------------------------------------------------------------------
 */

static enum status add_mirrored(struct device_trainer *d, const void *host, size_t bytes,
                                struct failure *f)
{
    struct mirrored_array *w = &d->mirrored[d->mirrored_count];
    if (!host || bytes == 0)
        return STATUS_OK;
    *w = (struct mirrored_array){.host = host, .bytes = bytes};
    d->mirrored_count++;
    return CUDA(device_malloc((void **)&w->device, bytes), f);
}

static enum status add_floats(struct device_trainer *d, const float *host, int64_t floats,
                              struct failure *f)
{
    return add_mirrored(d, host, (size_t)floats * sizeof *host, f);
}

/* Returns the floats of the largest input or output of a step, of one image: the size of
 * t->d_output. */
static int64_t widest(const struct plan *p)
{
    int64_t most = 0;
    for (int i = 0; i < p->count; i++)
        most =
            larger(most, larger(tensor_elements(p->steps[i].in), tensor_elements(p->steps[i].out)));
    return most;
}

static enum status open_mirrored(struct device_trainer *d, const struct trainer *t,
                                 struct failure *f)
{
    const struct forward *w = &t->forward;
    const struct network *n = w->plan.network;
    const int64_t outputs = forward_outputs(w), batch = w->plan.batch;
    const struct {
        const float *host;
        int64_t floats;
    } arrays[] = {{t->share.images, batch * tensor_elements(n->input)},
                  {t->share.values, outputs},
                  {w->arena, (int64_t)w->plan.arena_floats},
                  {w->output, outputs},
                  {t->work.d_output[0], batch * widest(&w->plan)},
                  {t->work.d_output[1], batch * widest(&w->plan)},
                  {t->state.parameters, n->floats},
                  {t->work.gradients, n->floats},
                  {t->work.shard_gradients, t->share.own.count * n->floats},
                  {t->state.moments[0], n->floats},
                  {t->state.moments[1], n->floats}};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < sizeof arrays / sizeof *arrays; i++)
        status = add_floats(d, arrays[i].host, arrays[i].floats, f);
    if (status == STATUS_OK)
        status = add_mirrored(d, t->share.labels, (size_t)batch * sizeof *t->share.labels, f);
    return status == STATUS_OK
               ? add_mirrored(d, t->work.losses, (size_t)batch * sizeof *t->work.losses, f)
               : status;
}

/* Returns the device address of a host address; NULL for NULL, and for addresses without
 * counterpart. */
static void *device_address(const struct device_trainer *d, const void *host)
{
    const char *at = host;
    for (int i = 0; at && i < d->mirrored_count; i++)
        if (at >= d->mirrored[i].host && at < d->mirrored[i].host + d->mirrored[i].bytes)
            return d->mirrored[i].device + (at - d->mirrored[i].host);
    return NULL;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static size_t changing_bytes(const struct device_trainer *d)
{
    return (size_t)d->keys * sizeof *d->changing + sizeof(struct step_numbers);
}

static struct step_numbers *numbers_in(const struct device_trainer *d, uint64_t *changing)
{
    return (struct step_numbers *)(changing + d->keys);
}

/* The keys of dropout and the numbers of the update change at every step, and a graph keeps the
 * arguments of its kernels: so they are sent, and kernels read them. */
static enum status open_changing(struct device_trainer *d, const struct plan *p, struct failure *f)
{
    float *pinned = NULL;
    for (int i = 0; i < p->count; i++)
        if (p->steps[i].drop)
            d->keys = p->count;
    const size_t bytes = changing_bytes(d);
    const enum status status =
        host_allocate(HOST_PINNED, &pinned, bytes, "the numbers of a step", f);
    d->changing = (void *)pinned;
    if (status != STATUS_OK)
        return status;
    memset(d->changing, 0, bytes);
    return CUDA(device_malloc((void **)&d->changing_there, bytes), f);
}

/* Of a batch of so many images in this process. */
static size_t loss_bytes(const struct trainer *t, int64_t images)
{
    return (size_t)images * sizeof *t->work.losses;
}

static size_t output_bytes(const struct trainer *t, int64_t images)
{
    const int64_t values = tensor_elements(network_output(t->forward.plan.network));
    return (size_t)(images * values) * sizeof *t->forward.output;
}

/* Allocates what a step needs that is queued as a whole. */
static enum status open_joined(struct device_trainer *d, const struct trainer *t, struct failure *f)
{
    const int64_t images = t->forward.plan.batch;
    const size_t bytes = loss_bytes(t, images) + output_bytes(t, images);
    float *pinned = NULL;
    d->trainer_interface.joins = d->captures && !t->where.exchange;
    d->graphs.compares &= d->trainer_interface.joins;
    if (!d->trainer_interface.joins)
        return STATUS_OK;
    enum status status = host_allocate(HOST_PINNED, &pinned, bytes, "losses and outputs", f);
    d->results = (void *)pinned;
    if (status == STATUS_OK)
        status = CUDA(cudaEventCreate(&d->sent), f);
    return status == STATUS_OK ? CUDA(cudaEventCreate(&d->computed), f) : status;
}

static enum status open_steps(struct device_trainer *d, struct trainer *t, struct failure *f)
{
    struct plan *p = &t->forward.plan;
    const struct whole_batch whole = {t->settings.batch, t->settings.shards};
    const int64_t shards = t->where.exchange ? 1 : whole.shards; /* at once */
    struct scratch_floats most = {0, 0};
    enum status status = STATUS_OK;
    d->layers = calloc((size_t)p->count, sizeof *d->layers);
    d->reverses = calloc((size_t)p->count, sizeof *d->reverses);
    if (!d->layers || !d->reverses)
        return fail(f, STATUS_RESOURCE, "no memory for %d layers", p->count);
    d->count = p->count;
    if (status == STATUS_OK)
        status = open_changing(d, p, f);
    d->engine.parameters = device_address(d, t->state.parameters);
    for (int i = 0; status == STATUS_OK && i < p->count; i++) {
        status = device_layer_open(&d->layers[i], &p->steps[i], p, &d->engine, f);
        if (status == STATUS_OK)
            status = device_reverse_open(&d->reverses[i], &p->steps[i], &whole, &d->engine, f);
        const struct scratch_floats floats = device_reverse_scratch(&d->reverses[i], shards);
        most.parts = larger(most.parts, larger(floats.parts, d->layers[i].parts));
        most.rotated = larger(most.rotated, floats.rotated);
    }
    if (status == STATUS_OK && most.parts > 0)
        status =
            CUDA(device_malloc((void **)&d->scratch.parts, (size_t)most.parts * sizeof(float)), f);
    if (status == STATUS_OK && most.rotated > 0)
        status = CUDA(
            device_malloc((void **)&d->scratch.rotated, (size_t)most.rotated * sizeof(float)), f);
    return status;
}

static void close_copies(struct device_trainer *d)
{
    if (d->copies)
        cudaStreamSynchronize(d->copies);
    device_events_close(d->arrived, d->count);
    device_events_close(&d->ready, 1);
    device_stream_close(&d->copies);
    free(d->arrived);
    d->arrived = NULL;
}

void device_trainer_close(struct device_trainer *d)
{
    if (d->stream)
        cudaStreamSynchronize(d->stream); /* nothing may still be reading what is freed */
    close_copies(d);
    part_graphs_close(&d->graphs);
    for (int i = 0; i < d->count; i++)
        device_layer_close(&d->layers[i], &d->engine);
    for (int i = 0; i < d->mirrored_count; i++)
        cudaFree(d->mirrored[i].device);
    cudaFree(d->scratch.parts);
    cudaFree(d->scratch.rotated);
    cudaFree(d->changing_there);
    host_release(HOST_PINNED, (void *)d->changing);
    host_release(HOST_PINNED, (void *)d->results);
    cudaEvent_t *const events[] = {&d->begin, &d->end, &d->sent, &d->computed};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        device_events_close(events[i], 1);
    device_stream_close(&d->stream);
    device_events_close(d->edges, d->mark_most);
    free(d->edges);
    free(d->marks);
    free(d->layers);
    free(d->reverses);
    d->trainer_interface.marks = NULL;
    d->trainer_interface.mark_count = 0;
    d->changing = d->changing_there = NULL;
    d->results = NULL;
    d->count = d->mirrored_count = d->keys = 0;
}

/* ---- sending and fetching ---------------------------------------------------------------------
 */

/* Records the begin of the phase, before its first operation is queued. */
static enum status begin_phase(struct device_trainer *d, struct failure *f)
{
    if (d->began)
        return STATUS_OK;
    d->began = true;
    return CUDA(cudaEventRecord(d->begin, d->stream), f);
}

static launch_part run_now;

/* Queues the parts that wait for the end of their phase: something else comes before. */
static enum status flush(struct trainer *t, struct failure *f)
{
    struct device_trainer *d = device_of(t);
    const enum status status = part_graphs_flush(&d->graphs, t, run_now, f);
    return status == STATUS_OK ? begin_phase(d, f) : status;
}

static enum status send(struct trainer *t, const void *host, size_t bytes, struct failure *f)
{
    struct device_trainer *d = device_of(t);
    const enum status status = flush(t, f);
    return status == STATUS_OK ? CUDA(cudaMemcpyAsync(device_address(d, host), host, bytes,
                                                      cudaMemcpyHostToDevice, d->stream),
                                      f)
                               : status;
}

static enum status fetch(struct trainer *t, void *host, size_t bytes, struct failure *f)
{
    struct device_trainer *d = device_of(t);
    enum status status = flush(t, f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemcpyAsync(host, device_address(d, host), bytes, cudaMemcpyDeviceToHost,
                                      d->stream),
                      f);
    return status == STATUS_OK ? CUDA(cudaStreamSynchronize(d->stream), f) : status;
}

/* If parts are traced, records the begin of a part, which ends the one before. */
static enum status mark_part(struct device_trainer *d, enum trainer_part part, int step,
                             struct failure *f)
{
    int *count = &d->trainer_interface.mark_count;
    if (!d->marking || *count == d->mark_most)
        return STATUS_OK;
    d->marks[*count] = (struct part_mark){.part = part, .step = step};
    return CUDA(cudaEventRecord(d->edges[(*count)++], d->stream), f);
}

/* Computes when the parts of a finished step began and ended. A wait of the host between two parts
 * belongs to the first. */
static enum status clock_parts(struct device_trainer *d, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < d->trainer_interface.mark_count; i++) {
        const bool last = i + 1 == d->trainer_interface.mark_count;
        status = device_seconds(d->edges[0], last ? d->end : d->edges[i + 1], &d->marks[i].end, f);
        d->marks[i].begin = i > 0 ? d->marks[i - 1].end : 0.0;
    }
    return status;
}

/* Reads clock and power during the backward pass, if that took long the last time. */
static void read_nvml(struct device_trainer *d)
{
    d->seen = phases_none();
    if (d->nvml && nvml_fits(d->nvml, d->device_s[PHASE_BACKWARD]))
        nvml_read(d->nvml, &d->seen);
}

/* Returns the numbers that all parameters of this step share, rounded once, as on the host. */
static struct step_numbers numbers_of(const struct trainer *t)
{
    const double updates = (double)t->state.updates + 1.0;
    if (t->settings.optimizer != &adam_optimizer)
        return (struct step_numbers){.rate = (float)t->settings.rate};
    return (struct step_numbers){.rate =
                                     (float)(t->settings.rate / (1.0 - pow(ADAM_BETA1, updates))),
                                 .root = (float)(1.0 / sqrt(1.0 - pow(ADAM_BETA2, updates)))};
}

/* Sends what is different in this step. What was sent before has arrived, as every step ends with a
 * wait. */
static enum status send_changing(struct device_trainer *d, const struct trainer *t,
                                 struct failure *f)
{
    const struct step *steps = t->forward.plan.steps;
    struct step_numbers *numbers = numbers_in(d, d->changing);
    for (int i = 0; i < d->keys; i++)
        if (steps[i].drop)
            d->changing[i] = dropout_bits(steps[i].draws, steps[i].drop).key;
    *numbers = numbers_of(t);
    numbers->held = d->preparing;
    return CUDA(cudaMemcpyAsync(d->changing_there, d->changing, changing_bytes(d),
                                cudaMemcpyHostToDevice, d->stream),
                f);
}

/* Queues the parts that were collected, as a graph where there is one. */
static enum status queue_collected(struct trainer *t, struct failure *f)
{
    struct device_trainer *d = device_of(t);
    const int captured = d->graphs.captured;
    const int64_t images = t->share.now; /* decides which of them are here, too */
    const enum status status =
        d->preparing ? part_graphs_prepare(&d->graphs, t, images, run_now, d->stream, f)
                     : part_graphs_queue(&d->graphs, t, images, run_now, d->stream, f);
    if (d->describe && t->work.joined && d->graphs.captured != captured)
        d->describe(d->describe_context, &d->graphs);
    return status;
}

/* Queues what is left of a phase. */
static enum status queue_rest(struct trainer *t, enum trainer_phase phase, struct failure *f)
{
    struct device_trainer *d = device_of(t);
    enum status status = begin_phase(d, f);
    if (status == STATUS_OK && phase == PHASE_SEND)
        status = send_changing(d, t, f);
    return status == STATUS_OK ? queue_collected(t, f) : status;
}

static enum status close_phase(struct trainer *t, enum trainer_phase phase, struct failure *f)
{
    struct device_trainer *d = device_of(t);
    if (d->closed)
        return STATUS_OK;
    if (phase == PHASE_BACKWARD) /* unless copies follow it */
        d->device_s[PHASE_EXCHANGE] = 0.0;
    enum status status = queue_rest(t, phase, f);
    if (status == STATUS_OK && phase != PHASE_UPDATE)
        status = mark_part(d, TRAINER_PARTS, 0, f); /* the host's work follows */
    if (status == STATUS_OK)
        status = CUDA(cudaEventRecord(d->end, d->stream), f);
    d->closed = status == STATUS_OK;
    return status;
}

/* Copies that a failure left under way end before anything writes what they read. */
static enum status drain_copies(const struct device_trainer *d, enum status status,
                                struct failure *f)
{
    struct failure later = {0};
    if (!d->copies)
        return status;
    const enum status waited =
        CUDA(cudaStreamSynchronize(d->copies), status == STATUS_OK ? f : &later);
    return status == STATUS_OK ? waited : status;
}

static enum status end_phase(struct trainer *t, enum trainer_phase phase, struct failure *f)
{
    struct device_trainer *d = device_of(t);
    enum status status = close_phase(t, phase, f);
    d->closed = false;
    if (status == STATUS_OK && phase == PHASE_BACKWARD)
        read_nvml(d);
    if (status == STATUS_OK)
        status = CUDA(cudaStreamSynchronize(d->stream), f);
    if (phase == PHASE_BACKWARD)
        status = drain_copies(d, status, f);
    if (status == STATUS_OK)
        status = device_seconds(d->begin, d->end, &d->device_s[phase], f);
    d->began = false;
    if (status == STATUS_OK && phase == PHASE_UPDATE && d->marking)
        status = clock_parts(d, f);
    if (d->trainer_interface.traced && (phase == PHASE_SEND || phase == PHASE_UPDATE))
        d->marking = phase == PHASE_SEND;
    if (d->marking && phase == PHASE_SEND)
        d->trainer_interface.mark_count = 0;
    return status;
}

/* ---- a step whose parts are joined -------------------------------------------------------------
 */

/* Queues copies of losses and outputs, to pinned memory, because a copy to pageable memory waits.
 */
static enum status queue_results(struct trainer *t, struct failure *f)
{
    const struct device_trainer *d = device_of(t);
    const int64_t images = t->forward.plan.steps[0].images;
    const size_t losses = loss_bytes(t, images), outputs = output_bytes(t, images);
    const enum status status = CUDA(cudaMemcpyAsync(d->results, device_address(d, t->work.losses),
                                                    losses, cudaMemcpyDeviceToHost, d->stream),
                                    f);
    return status == STATUS_OK
               ? CUDA(cudaMemcpyAsync(d->results + losses, device_address(d, t->forward.output),
                                      outputs, cudaMemcpyDeviceToHost, d->stream),
                      f)
               : status;
}

/* Stores losses and outputs where the trainer reads them. They must have arrived. */
static void take_results(struct trainer *t)
{
    const struct device_trainer *d = device_of(t);
    const int64_t images = t->forward.plan.steps[0].images;
    const size_t losses = loss_bytes(t, images);
    memcpy(t->work.losses, d->results, losses);
    memcpy(t->forward.output, d->results + losses, output_bytes(t, images));
}

static enum status queue_joined(struct trainer *t, struct failure *f)
{
    struct device_trainer *d = device_of(t);
    enum status status = begin_phase(d, f);
    if (status == STATUS_OK)
        status = send_changing(d, t, f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventRecord(d->sent, d->stream), f);
    if (status == STATUS_OK)
        status = queue_collected(t, f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventRecord(d->computed, d->stream), f);
    if (status == STATUS_OK)
        status = queue_results(t, f);
    return status == STATUS_OK ? CUDA(cudaEventRecord(d->end, d->stream), f) : status;
}

/* The time of all kernels is stored as that of the backward pass, which decides whether clock and
 * power are read. */
static enum status clock_joined(struct device_trainer *d, struct failure *f)
{
    memset(d->device_s, 0, sizeof d->device_s);
    enum status status = device_seconds(d->begin, d->sent, &d->device_s[PHASE_SEND], f);
    if (status == STATUS_OK)
        status = device_seconds(d->sent, d->computed, &d->device_s[PHASE_BACKWARD], f);
    return status == STATUS_OK ? device_seconds(d->computed, d->end, &d->device_s[PHASE_COLLECT], f)
                               : status;
}

static enum status finish(struct trainer *t, double *send_s, double *collect_s, struct failure *f)
{
    struct device_trainer *d = device_of(t);
    enum status status = queue_joined(t, f);
    if (status == STATUS_OK)
        read_nvml(d);
    if (status == STATUS_OK)
        status = CUDA(cudaStreamSynchronize(d->stream), f);
    d->began = false;
    if (status == STATUS_OK)
        status = clock_joined(d, f);
    if (status != STATUS_OK)
        return status;
    take_results(t);
    *send_s = d->device_s[PHASE_SEND];
    *collect_s = d->device_s[PHASE_COLLECT];
    return STATUS_OK;
}

/* ---- copies beside the backward pass ----------------------------------------------------------
 */

static enum status follow(struct trainer *t, struct failure *f)
{
    struct device_trainer *d = device_of(t);
    enum status status = queue_collected(t, f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventRecord(d->ready, d->stream), f);
    return status == STATUS_OK ? CUDA(cudaStreamWaitEvent(d->copies, d->ready, 0), f) : status;
}

static enum status copy(struct trainer *t, int step, void *host, size_t bytes, struct failure *f)
{
    const struct device_trainer *d = device_of(t);
    const enum status status = CUDA(
        cudaMemcpyAsync(host, device_address(d, host), bytes, cudaMemcpyDeviceToHost, d->copies),
        f);
    return status == STATUS_OK ? CUDA(cudaEventRecord(d->arrived[step], d->copies), f) : status;
}

/* That an event is not reached yet is no failure, and must not be found as one by a launch. */
static enum status arrived(struct trainer *t, int step, bool *done, struct failure *f)
{
    const cudaError_t error = cudaEventQuery(device_of(t)->arrived[step]);
    *done = error == cudaSuccess;
    if (error != cudaErrorNotReady)
        return cuda_check(error, "cudaEventQuery", __FILE__, __LINE__, f);
    (void)cudaGetLastError();
    return STATUS_OK;
}

/* ---- the parts of a step ----------------------------------------------------------------------
 */

static enum status queue_forward(const struct trainer *t, int step, struct failure *f)
{
    const struct device_trainer *d = device_of(t);
    const struct step *s = &t->forward.plan.steps[step];
    const struct layer_arrays a = {.from = device_address(d, s->from),
                                   .residual = device_address(d, s->residual),
                                   .to = device_address(d, s->to),
                                   .parts = d->scratch.parts};
    return device_layer_run(&d->layers[step], &d->engine, &a, d->stream, f);
}

static enum status run_forward(struct trainer *t, int step, struct failure *f)
{
    return queue_forward(t, step, f);
}

static struct elements_task elements_of(const struct trainer *t, int step, const float *host)
{
    const struct step *s = &t->forward.plan.steps[step];
    const int64_t elements = tensor_elements(s->out);
    struct elements_task task = {.values = device_address(device_of(t), host),
                                 .outputs = device_address(device_of(t), s->to),
                                 .count = s->images * elements,
                                 .elements = elements,
                                 .scale = 1.0f};
    if (s->drop) {
        const struct dropout_bits bits = dropout_bits(s->draws, s->drop);
        task.scale = (float)dropout_scale(s->drop);
        task.key = &device_of(t)->changing_there[step];
        task.first_image = bits.first_image;
        task.dropped = bits.dropped;
    }
    if (s->clamp) {
        task.least = s->clamp->kind->least;
        task.most = s->clamp->kind->most * task.scale;
    }
    return task;
}

static enum status run_drop(struct trainer *t, int step, struct failure *f)
{
    const struct elements_task task = elements_of(t, step, t->forward.plan.steps[step].to);
    return CUDA(launch_elements(drop_kernel, &task, device_of(t)->stream), f);
}

static enum status run_gate(struct trainer *t, int step, struct failure *f)
{
    const bool clamps = t->forward.plan.steps[step].clamp != NULL;
    const struct elements_task task = elements_of(t, step, t->work.reverses[step].d_output);
    return CUDA(launch_elements(clamps ? gate_kernel : drop_kernel, &task, device_of(t)->stream),
                f);
}

static enum status run_loss(struct trainer *t, int step, struct failure *f)
{
    const struct device_trainer *d = device_of(t);
    const int64_t values = tensor_elements(network_output(t->forward.plan.network));
    const struct loss_task task = {.outputs = device_address(d, t->forward.output),
                                   .labels = device_address(d, t->share.labels),
                                   .targets = device_address(d, t->share.values),
                                   .d_output = device_address(d, t->work.d_output[0]),
                                   .losses = device_address(d, t->work.losses),
                                   .held = &numbers_in(d, d->changing_there)->held,
                                   .images = t->forward.plan.steps[0].images,
                                   .values = values,
                                   .whole = t->share.now};
    (void)step;
    return CUDA(launch_loss(t->settings.loss->labels ? cross_entropy_kernel : mean_squared_kernel,
                            &task, d->stream),
                f);
}

static struct reverse_arrays arrays_of(const struct trainer *t, int step)
{
    const struct device_trainer *d = device_of(t);
    const struct reverse *r = &t->work.reverses[step];
    return (struct reverse_arrays){.images = r->step->images,
                                   .shards = t->settings.shards,
                                   .from = device_address(d, r->step->from),
                                   .d_output = device_address(d, r->d_output),
                                   .gradients = device_address(d, t->work.gradients),
                                   .d_input = device_address(d, r->d_input),
                                   .parameters = device_address(d, t->state.parameters),
                                   .scratch = d->scratch};
}

/* The same for one shard of this process alone, whose gradients are stored separately. */
static struct reverse_arrays arrays_of_shard(const struct trainer *t, int step, int64_t shard)
{
    const struct device_trainer *d = device_of(t);
    const struct step *s = t->work.reverses[step].step;
    const int64_t first = shard_first(&t->share.own, shard);
    struct reverse_arrays a = arrays_of(t, step);
    a.images = d->idle ? 0 : t->share.own.ends[shard] - first;
    a.shards = 1;
    a.from += first * tensor_elements(s->in);
    a.d_output += first * tensor_elements(s->out);
    a.gradients =
        device_address(d, t->work.shard_gradients + shard * t->forward.plan.network->floats);
    return a;
}

static enum status run_parameters(struct trainer *t, int step, struct failure *f)
{
    const struct device_trainer *d = device_of(t);
    const struct reverse_arrays all = arrays_of(t, step);
    enum status status = STATUS_OK;
    if (!t->where.exchange)
        return device_reverse_parameters(&d->reverses[step], &all, d->stream, f);
    for (int64_t shard = 0; status == STATUS_OK && shard < t->share.own.count; shard++) {
        const struct reverse_arrays a = arrays_of_shard(t, step, shard);
        status = device_reverse_parameters(&d->reverses[step], &a, d->stream, f);
    }
    return status;
}

static enum status run_input(struct trainer *t, int step, struct failure *f)
{
    const struct device_trainer *d = device_of(t);
    const struct reverse_arrays a = arrays_of(t, step);
    return device_reverse_input(&d->reverses[step], &a, d->stream, f);
}

static void set_adam(struct update_task *u)
{
    u->keep[0] = (float)ADAM_BETA1;
    u->keep[1] = (float)ADAM_BETA2;
    u->take[0] = (float)(1.0 - ADAM_BETA1);
    u->take[1] = (float)(1.0 - ADAM_BETA2);
    u->epsilon = (float)ADAM_EPSILON;
}

static enum status run_update(struct trainer *t, int step, struct failure *f)
{
    const struct device_trainer *d = device_of(t);
    const bool adam = t->settings.optimizer == &adam_optimizer;
    struct update_task task = {
        .parameters = device_address(d, t->state.parameters),
        .gradients = device_address(d, t->work.gradients),
        .moments = {device_address(d, t->state.moments[0]), device_address(d, t->state.moments[1])},
        .numbers = numbers_in(d, d->changing_there),
        .count = d->idle ? 0 : t->forward.plan.network->floats,
        .keep = {(float)SGD_MOMENTUM}};
    (void)step;
    if (adam)
        set_adam(&task);
    return CUDA(launch_update(adam ? adam_kernel : sgd_kernel, &task, d->stream), f);
}

static enum status run_now(struct trainer *t, enum trainer_part part, int step, struct failure *f)
{
    static enum status (*const parts[TRAINER_PARTS])(struct trainer *, int, struct failure *) = {
        [PART_FORWARD] = run_forward,
        [PART_DROP] = run_drop,
        [PART_LOSS] = run_loss,
        [PART_GATE] = run_gate,
        [PART_INPUT] = run_input,
        [PART_UPDATE] = run_update,
        [PART_PARAMETERS] = run_parameters,
    };
    enum status status = begin_phase(device_of(t), f);
    if (status == STATUS_OK)
        status = mark_part(device_of(t), part, step, f);
    return status == STATUS_OK ? parts[part](t, step, f) : status;
}

/* Without an exchange all parts become one graph. Otherwise the loss and the update are one kernel
 * each, and not worth a graph. */
static enum status run(struct trainer *t, enum trainer_part part, int step, struct failure *f)
{
    struct device_trainer *d = device_of(t);
    const bool alone = part == PART_LOSS || part == PART_UPDATE;
    if (d->captures && !d->idle && (t->work.joined || !alone))
        return part_graphs_collect(&d->graphs, part, step, f);
    const enum status status = flush(t, f);
    return status == STATUS_OK ? run_now(t, part, step, f) : status;
}

/* ---- opening the trainer ----------------------------------------------------------------------
 */

/* Runs every part on no images, because the first run loads the kernels. */
static enum status run_parts(struct trainer *t, struct failure *f)
{
    enum status status = run(t, PART_LOSS, 0, f);
    for (int i = 0; status == STATUS_OK && i < t->forward.plan.count; i++) {
        const struct step *s = &t->forward.plan.steps[i];
        status = run(t, PART_FORWARD, i, f);
        if (status == STATUS_OK && s->drop)
            status = run(t, PART_DROP, i, f);
        if (status == STATUS_OK && (s->clamp || s->drop))
            status = run(t, PART_GATE, i, f);
        if (status == STATUS_OK && layer_parameter_count(s->layer) > 0)
            status = run(t, PART_PARAMETERS, i, f);
        if (status == STATUS_OK && t->work.reverses[i].d_input)
            status = run(t, PART_INPUT, i, f);
    }
    if (status == STATUS_OK)
        status = run(t, PART_UPDATE, 0, f);
    return status == STATUS_OK ? end_phase(t, PHASE_FORWARD, f) : status;
}

static enum status run_first(struct device_trainer *d, struct trainer *t, struct failure *f)
{
    const double start = clock_now();
    d->idle = true;
    for (int i = 0; i < t->forward.plan.count; i++)
        t->forward.plan.steps[i].images = 0;
    const enum status status = run_parts(t, f);
    trainer_place(t, t->settings.batch);
    d->idle = false;
    d->first_launch_s = clock_now() - start;
    return status;
}

/* Allocates marks for every part of every step, and for the end of every phase. */
static enum status open_marks(struct device_trainer *d, struct failure *f)
{
    const size_t most = (size_t)TRAINER_PARTS * (size_t)d->count + TRAINER_PHASES;
    if (!d->trainer_interface.traced)
        return STATUS_OK;
    d->marks = calloc(most, sizeof *d->marks);
    d->edges = calloc(most, sizeof *d->edges);
    if (!d->marks || !d->edges)
        return fail(f, STATUS_RESOURCE, "no memory for the trace of %d layers", d->count);
    d->trainer_interface.marks = d->marks;
    d->mark_most = (int)most;
    return device_events_open(d->edges, (int64_t)most, f);
}

static enum status open_copies(struct device_trainer *d, const struct trainer *t, struct failure *f)
{
    if (!t->where.exchange || !d->trainer_interface.overlaps)
        return STATUS_OK;
    d->arrived = calloc((size_t)d->count, sizeof *d->arrived);
    if (!d->arrived)
        return fail(f, STATUS_RESOURCE, "no memory for %d layers", d->count);
    enum status status = CUDA(cudaStreamCreateWithFlags(&d->copies, cudaStreamNonBlocking), f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventCreate(&d->ready), f);
    for (int i = 0; status == STATUS_OK && i < d->count; i++)
        if (layer_parameter_count(t->forward.plan.steps[i].layer) > 0)
            status = CUDA(cudaEventCreate(&d->arrived[i]), f);
    return status;
}

static enum status open_on_device(struct trainer *t, struct failure *f)
{
    struct device_trainer *d = device_of(t);
    enum status status = CUDA(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking), f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventCreate(&d->begin), f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventCreate(&d->end), f);
    if (status == STATUS_OK)
        status = open_mirrored(d, t, f);
    if (status == STATUS_OK)
        status = open_steps(d, t, f);
    if (status == STATUS_OK)
        status = open_joined(d, t, f);
    if (status == STATUS_OK)
        status = open_copies(d, t, f);
    if (status == STATUS_OK)
        status = open_marks(d, f);
    return status == STATUS_OK ? run_first(d, t, f) : status;
}

/* ---- what is reported -------------------------------------------------------------------------
 */

/* If the backward pass was too short for a reading, runs the batch forward once more and reads
 * clock and power meanwhile. Nothing reads the outputs. */
static void read_nvml_again(struct device_trainer *d, const struct trainer *t)
{
    struct failure unused = {0};
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < d->count; i++)
        status = queue_forward(t, i, &unused);
    nvml_read(d->nvml, &d->seen);
    cudaStreamSynchronize(d->stream); /* a failure is reported by the next step */
}

static void read_phases(const struct trainer *t, struct phases *phases)
{
    struct device_trainer *d = device_of(t);
    phases->first_launch_s = d->first_launch_s;
    phases->device_distribute_s = d->device_s[PHASE_SEND];
    phases->device_compute_s = d->device_s[PHASE_FORWARD] + d->device_s[PHASE_LOSS] +
                               d->device_s[PHASE_BACKWARD] + d->device_s[PHASE_UPDATE];
    phases->device_collect_s = d->device_s[PHASE_COLLECT] + d->device_s[PHASE_EXCHANGE];
    if (d->nvml && !d->seen.throttle[0])
        read_nvml_again(d, t);
    if (d->nvml) {
        phases->clock_mhz = d->seen.clock_mhz;
        phases->power_w = d->seen.power_w;
        memcpy(phases->throttle, d->seen.throttle, sizeof phases->throttle);
    }
}

/* What a step queued before it failed is left out. */
static bool prepare(struct trainer *t, bool begins)
{
    struct device_trainer *d = device_of(t);
    d->preparing = begins && d->captures;
    d->graphs.part_count = 0;
    return d->captures;
}

static enum status allocate(const struct device_steps *e, float **out, size_t bytes,
                            const char *what, struct failure *f)
{
    const struct device_trainer *d = e->context;
    return host_allocate(d->memory, out, bytes, what, f);
}

static void release_pinned(float *array)
{
    host_release(HOST_PINNED, array);
}

static void release_pageable(float *array)
{
    host_release(HOST_PAGEABLE, array);
}

void device_trainer_begin(struct device_trainer *d, const struct device *device, int64_t block,
                          enum host_memory memory)
{
    *d = (struct device_trainer){
        .memory = memory, .device = device, .engine = {.device = device, .block = block}};
    d->trainer_interface =
        (struct device_steps){.context = d,
                              .allocate = allocate,
                              .release = memory == HOST_PINNED ? release_pinned : release_pageable,
                              .open = open_on_device,
                              .send = send,
                              .fetch = fetch,
                              .run = run,
                              .follow = follow,
                              .copy = copy,
                              .arrived = arrived,
                              .close = close_phase,
                              .end = end_phase,
                              .finish = finish,
                              .prepare = prepare,
                              .read_phases = read_phases};
}
