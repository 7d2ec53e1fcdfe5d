/* The parts of a trainer's step on another device (networks/training/device_steps.h): each runs
 * there, and its results are copied to the host if they are verified. */
#include "harness/base/clock.h"
#include "networks/training/trainer_parts.h"

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
    return status == STATUS_OK ? t->where.device->end(t, PHASE_SEND, f) : status;
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
    return status == STATUS_OK ? t->where.device->end(t, PHASE_FORWARD, f) : status;
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
    return status == STATUS_OK ? fetch(t, t->forward.output, floats_of(outputs), f) : status;
}

/* ---- the loss ----------------------------------------------------------------------------------
 */

static enum status find_loss(struct trainer *t, struct failure *f)
{
    const enum status status = t->where.device->run(t, PART_LOSS, 0, f);
    return status == STATUS_OK ? t->where.device->end(t, PHASE_LOSS, f) : status;
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

/* Floats that a part computes. The gradients of a layer's parameters are contiguous. */
struct made {
    float *values;
    int64_t count;
};

static struct made made_by(const struct trainer *t, enum trainer_part part, int step)
{
    const struct step *s = &t->forward.plan.steps[step];
    const struct layer *l = s->layer;
    const int tensors = layer_parameter_count(l);
    if (part == PART_GATE) /* computed in place, for the next part */
        return (struct made){t->work.d_output[(t->forward.plan.count - 1 - step) % 2],
                             s->images * tensor_elements(s->out)};
    if (part == PART_INPUT)
        return (struct made){t->work.reverses[step].d_input, s->images * tensor_elements(s->in)};
    if (part != PART_PARAMETERS || tensors == 0)
        return (struct made){NULL, 0};
    const struct parameter_tensor last = layer_parameter(l, tensors - 1);
    return (struct made){t->work.gradients + l->offset[0],
                         l->offset[tensors - 1] + parameter_floats(&last) - l->offset[0]};
}

static enum status run_on_device(struct trainer *t, enum trainer_part part, int step,
                                 const struct verify_extent *how, struct failure *f)
{
    const struct made made = made_by(t, part, step);
    const bool fresh = part == PART_PARAMETERS || part == PART_INPUT;
    enum status status = STATUS_OK;
    if (how && fresh)
        status = poison(t, made.values, made.count, f);
    if (status == STATUS_OK)
        status = t->where.device->run(t, part, step, f);
    if (status == STATUS_OK && how)
        status = part == PART_UPDATE ? fetch_parameters(t, f)
                                     : fetch(t, made.values, floats_of(made.count), f);
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
    if (status != STATUS_OK)
        return status;
    const enum status collected = collect(t, how, f);
    *collect_s = clock_now() - start;
    return collected;
}

static enum status end_on_device(struct trainer *t, enum trainer_phase phase, struct failure *f)
{
    const enum status status = t->where.device->end(t, phase, f);
    if (status == STATUS_OK && phase == PHASE_UPDATE && t->forward.clocked)
        add_times(t);
    return status;
}

/* The next step reports a failure. */
static void refresh_on_device(struct trainer *t)
{
    send_parameters(t, &t->work.pending);
}

const struct trainer_side trainer_on_device = {.computes = true,
                                               .alone = true,
                                               .clocks = true,
                                               .external = true,
                                               .forward_step = forward_step,
                                               .open = open_on_device,
                                               .send = send_batch,
                                               .forward = forward_on_device,
                                               .loss = loss_on_device,
                                               .run = run_on_device,
                                               .end = end_on_device,
                                               .fetch_all = fetch_all,
                                               .fetch_state = fetch_parameters,
                                               .refresh = refresh_on_device};
