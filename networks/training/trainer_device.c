/* The parts of a trainer's step on another device (networks/training/device_steps.h): each runs
 * there, and its results are copied to the host if they are verified. */
#include "harness/base/clock.h"
#include "networks/training/trainer_parts.h"

#include <math.h>
#include <string.h>

static size_t floats_of(int64_t count)
{
    return (size_t)count * sizeof(float);
}

static enum status send(struct trainer *t, const void *host, size_t bytes, struct failure *f)
{
    return bytes > 0 ? t->where.device->send(t, host, bytes, f) : STATUS_OK;
}

static enum status fetch(struct trainer *t, void *host, size_t bytes, struct failure *f)
{
    return bytes > 0 ? t->where.device->fetch(t, host, bytes, f) : STATUS_OK;
}

/* The phases of a step whose parts are joined have no end. */
static enum status end_phase(struct trainer *t, enum trainer_phase phase, struct failure *f)
{
    return t->work.joined ? STATUS_OK : t->where.device->end(t, phase, f);
}

/* Fills an array with NaN, so that a part that leaves something out is detected. */
static enum status poison(struct trainer *t, float *host, int64_t count, struct failure *f)
{
    if (count > 0)
        memset(host, 0xff, floats_of(count));
    return send(t, host, floats_of(count), f);
}

/* ---- parameters --------------------------------------------------------------------------------
 */

static enum status send_parameters(struct trainer *t, struct failure *f)
{
    const size_t bytes = floats_of(t->forward.plan.network->floats);
    enum status status = send(t, t->state.parameters, bytes, f);
    for (int i = 0; status == STATUS_OK && i < t->settings.optimizer->moments; i++)
        status = send(t, t->state.moments[i], bytes, f);
    return status == STATUS_OK ? t->where.device->end(t, PHASE_SEND, f) : status;
}

static enum status fetch_parameters(struct trainer *t, struct failure *f)
{
    const size_t bytes = floats_of(t->forward.plan.network->floats);
    enum status status = fetch(t, t->state.parameters, bytes, f);
    for (int i = 0; status == STATUS_OK && i < t->settings.optimizer->moments; i++)
        status = fetch(t, t->state.moments[i], bytes, f);
    return status;
}

/* Between steps: the next step's phases begin anew. */
static enum status fetch_state(struct trainer *t, struct failure *f)
{
    const enum status status = fetch_parameters(t, f);
    return status == STATUS_OK ? t->where.device->end(t, PHASE_COLLECT, f) : status;
}

/* ---- forward -----------------------------------------------------------------------------------
 */

static int64_t output_floats(const struct trainer *t)
{
    return trainer_images(t) * tensor_elements(network_output(t->forward.plan.network));
}

static enum status send_batch(struct trainer *t, struct failure *f)
{
    const int64_t images = trainer_images(t);
    const int64_t elements = images * tensor_elements(t->forward.plan.network->input);
    if (t->work.pending.status != STATUS_OK)
        return fail(f, t->work.pending.status, "%s", t->work.pending.message);
    enum status status = send(t, t->share.images, floats_of(elements), f);
    if (status == STATUS_OK)
        status = t->share.values
                     ? send(t, t->share.values, floats_of(output_floats(t)), f)
                     : send(t, t->share.labels, (size_t)images * sizeof *t->share.labels, f);
    return status == STATUS_OK ? end_phase(t, PHASE_SEND, f) : status;
}

static enum status run_forward(struct trainer *t, int step, struct failure *f)
{
    const enum status status = t->where.device->run(t, PART_FORWARD, step, f);
    return status == STATUS_OK && t->forward.plan.steps[step].drop
               ? t->where.device->run(t, PART_DROP, step, f)
               : status;
}

static enum status forward_step(struct forward *w, int step, struct failure *f)
{
    struct trainer *t = w->device_context;
    const struct step *s = &w->plan.steps[step];
    enum status status = STATUS_OK;
    if (step == 0)
        status = poison(t, w->arena, (int64_t)w->plan.arena_floats, f);
    if (status == STATUS_OK && step == 0)
        status = poison(t, w->output, forward_outputs(w), f);
    if (status == STATUS_OK)
        status = run_forward(t, step, f);
    return status == STATUS_OK ? fetch(t, s->to, floats_of(s->images * tensor_elements(s->out)), f)
                               : status;
}

static enum status forward_on_device(struct trainer *t, const struct verify_extent *how,
                                     struct failure *f)
{
    enum status status = STATUS_OK;
    if (how)
        status = forward_verify(&t->forward, how, f);
    else
        for (int i = 0; status == STATUS_OK && i < t->forward.plan.count; i++)
            status = run_forward(t, i, f);
    return status == STATUS_OK ? end_phase(t, PHASE_FORWARD, f) : status;
}

enum status trainer_outputs(struct trainer *t, const float *images, int64_t count,
                            struct failure *f)
{
    const int64_t elements = tensor_elements(t->forward.plan.network->input);
    enum status status = STATUS_OK;
    memcpy(t->share.images, images, floats_of(count * elements));
    for (int i = 0; i < t->forward.plan.count; i++)
        t->forward.plan.steps[i].images = count;
    status = send(t, t->share.images, floats_of(count * elements), f);
    for (int i = 0; status == STATUS_OK && i < t->forward.plan.count; i++)
        status = t->where.device->run(t, PART_FORWARD, i, f);
    const int64_t outputs = count * tensor_elements(network_output(t->forward.plan.network));
    if (status == STATUS_OK)
        status = fetch(t, t->forward.output, floats_of(outputs), f);
    return status == STATUS_OK ? t->where.device->end(t, PHASE_COLLECT, f) : status;
}

/* ---- the loss ----------------------------------------------------------------------------------
 */

static enum status find_loss(struct trainer *t, struct failure *f)
{
    const enum status status = t->where.device->run(t, PART_LOSS, 0, f);
    return status == STATUS_OK ? end_phase(t, PHASE_LOSS, f) : status;
}

static enum status collect(struct trainer *t, const struct verify_extent *how, struct failure *f)
{
    const size_t losses = (size_t)trainer_images(t) * sizeof *t->work.losses;
    const size_t outputs = floats_of(output_floats(t));
    enum status status = fetch(t, t->work.losses, losses, f);
    if (status == STATUS_OK)
        status = fetch(t, t->forward.output, outputs, f);
    if (status == STATUS_OK && how)
        status = fetch(t, t->work.d_output[0], outputs, f);
    return status == STATUS_OK ? t->where.device->end(t, PHASE_COLLECT, f) : status;
}

static enum status fetch_all(struct trainer *t, struct failure *f)
{
    struct forward *w = &t->forward;
    enum status status = fetch(t, w->arena, w->plan.arena_floats * sizeof(float), f);
    if (status == STATUS_OK)
        status = fetch(t, w->output, floats_of(output_floats(t)), f);
    return status == STATUS_OK ? fetch_parameters(t, f) : status;
}

/* ---- backward ----------------------------------------------------------------------------------
 */

/* Floats that a part computes. The gradients of a layer's parameters are contiguous; those of
 * shards lie apart. */
struct made {
    float *values;
    int64_t count, shards; /* shards: 0 if they are not of shards */
};

/* The gradients [first, first + count) that run backward: of each shard, if they are exchanged. */
static struct made made_gradients(const struct trainer *t, int64_t first, int64_t count)
{
    return t->where.exchange
               ? (struct made){t->work.shard_gradients + first, count, t->share.own.count}
               : (struct made){t->work.gradients + first, count, 0};
}

static struct made made_by(const struct trainer *t, enum trainer_part part, int step)
{
    const struct step *s = &t->forward.plan.steps[step];
    const struct layer *l = s->layer;
    const int tensors = layer_parameter_count(l);
    if (part == PART_GATE) /* computed in place, for the next part */
        return (struct made){t->work.d_output[(t->forward.plan.count - 1 - step) % 2],
                             s->images * tensor_elements(s->out), 0};
    if (part == PART_INPUT)
        return (struct made){t->work.reverses[step].d_input, s->images * tensor_elements(s->in), 0};
    if (part != PART_PARAMETERS || tensors == 0)
        return (struct made){NULL, 0, 0};
    const struct parameter_tensor last = layer_parameter(l, tensors - 1);
    return made_gradients(t, l->offset[0],
                          l->offset[tensors - 1] + parameter_floats(&last) - l->offset[0]);
}

static enum status poison_made(struct trainer *t, const struct made *m, struct failure *f)
{
    const int64_t floats = t->forward.plan.network->floats;
    enum status status = m->shards == 0 ? poison(t, m->values, m->count, f) : STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < m->shards; i++)
        status = poison(t, m->values + i * floats, m->count, f);
    return status;
}

/* A shard without images has no kernel that would write its gradients: they are zeros. */
static bool clear_empty_shard(const struct trainer *t, const struct made *m, int64_t shard)
{
    const bool empty = shard_first(&t->share.own, shard) == t->share.own.ends[shard];
    if (empty)
        memset(m->values + shard * t->forward.plan.network->floats, 0, floats_of(m->count));
    return empty;
}

static enum status fetch_made(struct trainer *t, const struct made *m, struct failure *f)
{
    const int64_t floats = t->forward.plan.network->floats;
    const size_t bytes = floats_of(m->count);
    enum status status = m->shards == 0 ? fetch(t, m->values, bytes, f) : STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < m->shards; i++)
        if (!clear_empty_shard(t, m, i))
            status = fetch(t, m->values + i * floats, bytes, f);
    return status;
}

/* Queues copies of the gradients of all shards, which leave the device beside later parts. */
static enum status copy_made(struct trainer *t, const struct made *m, int step, struct failure *f)
{
    const int64_t floats = t->forward.plan.network->floats;
    enum status status = t->where.device->follow(t, f);
    for (int64_t i = 0; status == STATUS_OK && i < m->shards; i++)
        if (!clear_empty_shard(t, m, i))
            status = t->where.device->copy(t, step, m->values + i * floats, floats_of(m->count), f);
    return status;
}

/* ---- the exchange ------------------------------------------------------------------------------
 */

/* Fetches the gradients of all shards of this process. */
static enum status fetch_shards(struct trainer *t, struct failure *f)
{
    const struct made all = made_gradients(t, 0, t->forward.plan.network->floats);
    const enum status status = fetch_made(t, &all, f);
    return status == STATUS_OK ? t->where.device->end(t, PHASE_EXCHANGE, f) : status;
}

/* Sends the sums of gradients to the device and updates there. Parameters that other processes wait
 * for are fetched. */
static enum status update_by_sums(struct trainer *t, struct failure *f)
{
    const size_t bytes = floats_of(t->forward.plan.network->floats);
    enum status status = send(t, t->work.gradients, bytes, f);
    if (status == STATUS_OK)
        status = t->where.device->run(t, PART_UPDATE, 0, f);
    if (status == STATUS_OK && t->where.exchange->sends)
        status = fetch(t, t->state.parameters, bytes, f);
    return status == STATUS_OK ? t->where.device->end(t, PHASE_UPDATE, f) : status;
}

/* Other processes wait for this one, also after a failure. */
static void update_on_device(struct trainer *t)
{
    update_by_sums(t, &t->work.pending);
}

static enum status take_parameters(struct trainer *t, struct failure *f)
{
    const size_t bytes = floats_of(t->forward.plan.network->floats);
    const enum status status = send(t, t->state.parameters, bytes, f);
    return status == STATUS_OK ? t->where.device->end(t, PHASE_UPDATE, f) : status;
}

/* Waits until the copies of a step's gradients have arrived; messages progress meanwhile. */
static enum status wait_for_copies(struct trainer *t, int step, struct failure *f)
{
    enum status status = STATUS_OK;
    for (bool done = false; status == STATUS_OK && !done;) {
        status = t->where.device->arrived(t, step, &done, f);
        t->where.exchange->progress(t->where.exchange);
    }
    return status;
}

/* Begins to exchange the gradients of all layers, the last one first: each as soon as it is on the
 * host. After a failure, the one of `status` too, they are sent as they are there, because other
 * processes wait for them. */
static enum status begin_exchanges(struct trainer *t, enum status status, struct failure *f)
{
    const struct gradient_exchange *e = t->where.exchange;
    for (int i = t->forward.plan.count - 1; i >= 0; i--) {
        const struct layer *l = t->forward.plan.steps[i].layer;
        if (layer_parameter_count(l) == 0)
            continue;
        if (t->work.overlaps && status == STATUS_OK)
            status = wait_for_copies(t, i, f);
        trainer_begin_exchange(t, l);
        e->progress(e);
    }
    return status;
}

/* Begins the exchange while the device still runs backward, and waits until it is done. */
static enum status end_overlapped(struct trainer *t, struct failure *f)
{
    struct failure later = {0};
    const enum status closed = t->where.device->close(t, PHASE_BACKWARD, f);
    const enum status begun = begin_exchanges(t, closed, f);
    const enum status ended =
        t->where.device->end(t, PHASE_BACKWARD, begun == STATUS_OK ? f : &later);
    return begun == STATUS_OK ? ended : begun;
}

/* Exchanges the gradients of all layers and updates. All of them are on the host by now. */
static enum status exchange_and_update(struct trainer *t, struct failure *f)
{
    const struct gradient_exchange *e = t->where.exchange;
    if (!t->work.overlaps)
        begin_exchanges(t, STATUS_OK, f);
    trainer_end_exchange(t);
    if (t->work.pending.status != STATUS_OK)
        return fail(f, t->work.pending.status, "%s", t->work.pending.message);
    return e->updates ? STATUS_OK : take_parameters(t, f);
}

static enum status run_on_device(struct trainer *t, enum trainer_part part, int step,
                                 const struct verify_extent *how, struct failure *f)
{
    const struct made made = made_by(t, part, step);
    const bool fresh = part == PART_PARAMETERS || part == PART_INPUT;
    enum status status = STATUS_OK;
    if (how && fresh)
        status = poison_made(t, &made, f);
    if (status == STATUS_OK)
        status = part == PART_UPDATE && t->where.exchange ? exchange_and_update(t, f)
                                                          : t->where.device->run(t, part, step, f);
    if (status == STATUS_OK && part == PART_PARAMETERS && t->work.overlaps)
        status = copy_made(t, &made, step, f);
    if (status == STATUS_OK && how)
        status = part == PART_UPDATE ? fetch_parameters(t, f) : fetch_made(t, &made, f);
    return status;
}

/* ---- clocks ------------------------------------------------------------------------------------
 */

/* Seconds of some parts of one step together; bit i of `parts` selects part i. */
static double seconds_of(const struct trainer *t, int step, unsigned parts)
{
    double sum = 0.0;
    for (int i = 0; i < t->where.device->mark_count; i++) {
        const struct part_mark *m = &t->where.device->marks[i];
        if (m->step == step && (1U << m->part & parts) != 0)
            sum += m->end - m->begin;
    }
    return sum;
}

static void add_times(struct trainer *t)
{
    const unsigned forward = 1U << PART_FORWARD | 1U << PART_DROP;
    const unsigned backward = 1U << PART_GATE | 1U << PART_PARAMETERS | 1U << PART_INPUT;
    for (int i = 0; i < t->forward.plan.count; i++) {
        forward_add_time(&t->forward, i, seconds_of(t, i, forward));
        trainer_add_time(&t->clocks.backward[i], seconds_of(t, i, backward));
    }
    trainer_add_time(&t->clocks.update, seconds_of(t, 0, 1U << PART_UPDATE));
}

/* ---- the side ---------------------------------------------------------------------------------
 */

static enum status open_on_device(struct trainer *t, struct failure *f)
{
    const enum status status = t->where.device->open(t, f);
    return status == STATUS_OK ? send_parameters(t, f) : status;
}

static enum status loss_on_device(struct trainer *t, const struct verify_extent *how,
                                  double *collect_s, struct failure *f)
{
    const enum status status = find_loss(t, f);
    const double start = clock_now();
    if (status != STATUS_OK || t->work.joined)
        return status;
    const enum status collected = collect(t, how, f);
    *collect_s = clock_now() - start;
    return collected;
}

static enum status end_on_device(struct trainer *t, enum trainer_phase phase, struct failure *f)
{
    const bool exchanged = t->where.exchange != NULL;
    enum status status = STATUS_OK;
    if (phase == PHASE_BACKWARD && t->work.overlaps)
        return end_overlapped(t, f);
    if (phase != PHASE_UPDATE || !exchanged) /* an update after an exchange has ended */
        status = t->where.device->end(t, phase, f);
    if (status == STATUS_OK && phase == PHASE_BACKWARD && exchanged)
        status = fetch_shards(t, f);
    if (status == STATUS_OK && phase == PHASE_UPDATE && t->forward.clocked)
        add_times(t);
    return status;
}

static enum status finish_on_device(struct trainer *t, struct step_seconds *seconds,
                                    struct failure *f)
{
    *seconds = (struct step_seconds){NAN, NAN, NAN, NAN, NAN, 0.0, 0.0};
    return t->where.device->finish(t, &seconds->send_s, &seconds->collect_s, f);
}

/* The next step reports a failure. */
static void refresh_on_device(struct trainer *t)
{
    send_parameters(t, &t->work.pending);
}

const struct trainer_side trainer_on_device = {.computes = true,
                                               .fails = true,
                                               .clocks = true,
                                               .external = true,
                                               .forward_step = forward_step,
                                               .open = open_on_device,
                                               .send = send_batch,
                                               .forward = forward_on_device,
                                               .loss = loss_on_device,
                                               .run = run_on_device,
                                               .end = end_on_device,
                                               .finish = finish_on_device,
                                               .fetch_all = fetch_all,
                                               .fetch_state = fetch_state,
                                               .refresh = refresh_on_device,
                                               .sum = trainer_add_shards,
                                               .update = update_on_device};
