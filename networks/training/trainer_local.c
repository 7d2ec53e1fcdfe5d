/* The parts of a trainer's step run by the team of this process. */
#include "kernels/min_max.h"
#include "networks/layers/clamp_gradient.h"
#include "networks/training/trainer_parts.h"
#include "networks/training/trainer_trace.h"

/* ---- forward and the loss --------------------------------------------------------------------
 */

static enum status forward(struct trainer *t, const struct verify_extent *how, struct failure *f)
{
    if (how && trainer_images(t) > 0)
        return forward_verify(&t->forward, how, f);
    forward_run(&t->forward);
    return STATUS_OK;
}

static void loss_share(int64_t worker, void *context)
{
    const struct trainer *t = context;
    const struct loss_call call = trainer_loss_call(t);
    int64_t image, end;
    backward_share(trainer_images(t), t->forward.team.workers, worker, &image, &end);
    for (; image < end; image++)
        t->settings.loss->run(&call, image);
}

static enum status loss(struct trainer *t, const struct verify_extent *how, double *collect_s,
                        struct failure *f)
{
    (void)how;
    (void)collect_s;
    (void)f;
    trainer_run_part(t, PART_LOSS, 0, loss_share, t);
    return STATUS_OK;
}

/* ---- backward --------------------------------------------------------------------------------
 */

struct task {
    struct trainer *trainer;
    int step;
    backward_stage *stage;
};

/* Passes a step's output gradient back through its dropout and its clamp. */
static void gate_share(int64_t worker, void *context)
{
    static gate_function *const gate[ISA_COUNT] = ISA_VARIANTS(layer_gate);
    const struct task *task = context;
    const struct trainer *t = task->trainer;
    const struct step *s = &t->forward.plan.steps[task->step];
    const int64_t elements = tensor_elements(s->out);
    const float scale = s->drop ? (float)dropout_scale(s->drop) : 1.0f;
    float *d_output = t->work.d_output[(t->forward.plan.count - 1 - task->step) % 2];
    enum isa isa = s->isa;
    int64_t image, end;
    while (!gate[isa])
        isa--;
    backward_share(s->images, t->forward.team.workers, worker, &image, &end);
    for (; image < end; image++) {
        struct gate g = {
            s->to + image * elements, d_output + image * elements, elements, 0.0f, 0.0f, scale};
        if (s->clamp) { /* a dropped output is 0, which the clamp does not let through either */
            g.least = s->clamp->kind->least;
            g.most = s->clamp->kind->most * scale;
            gate[isa](&g);
        } else {
            dropout_run(s->draws, s->drop, image, 0, g.d_output, elements, s->isa);
        }
    }
}

static void stage_share(int64_t worker, void *context)
{
    const struct task *task = context;
    struct trainer *t = task->trainer;
    task->stage(&t->work.reverses[task->step], worker,
                t->work.scratch + (size_t)worker * t->work.scratch_step);
}

static void run_stage(struct trainer *t, enum trainer_part part, int step, backward_stage *stage)
{
    struct task task = {t, step, stage};
    trainer_run_part(t, part, step, stage_share, &task);
}

/* The index after the last parameter of a layer that has some. */
static int64_t parameters_end(const struct layer *l)
{
    const int last = layer_parameter_count(l) - 1;
    const struct parameter_tensor tensor = layer_parameter(l, last);
    return l->offset[last] + parameter_floats(&tensor);
}

void trainer_begin_exchange(struct trainer *t, const struct layer *l)
{
    trainer_mark_messages(&t->clocks.marks);
    t->where.exchange->begin(t->where.exchange, t, l->offset[0], parameters_end(l) - l->offset[0]);
}

static void run_parameters(struct trainer *t, int step)
{
    const struct layer *l = t->work.reverses[step].step->layer;
    const struct backward *kind = l->kind->backward;
    for (int i = 0; i < BACKWARD_STAGES && kind->parameters[i]; i++)
        run_stage(t, PART_PARAMETERS, step, kind->parameters[i]);
    if (t->where.exchange)
        trainer_begin_exchange(t, l);
}

/* ---- the update ------------------------------------------------------------------------------
 */

/* Each worker updates whole cache lines. */
static void update_share(int64_t worker, void *context)
{
    enum { LINE = 16 };
    const struct trainer *t = context;
    const int64_t all = t->work.updating.all.count;
    int64_t first, end;
    backward_share((all + LINE - 1) / LINE, t->forward.team.workers, worker, &first, &end);
    first = smaller(first * LINE, all);
    const struct update u =
        update_piece(&t->work.updating, first, smaller(end * LINE, all) - first);
    t->work.updating.run(&u);
}

static void update(struct trainer *t)
{
    trainer_run_part(t, PART_UPDATE, 0, update_share, t);
}

static void sum(struct trainer *t, const struct shard_sum *s)
{
    for (int64_t shard = 0; shard < t->settings.shards; shard++) {
        const float *from = s->part(s->context, shard);
        for (int64_t i = 0; i < s->count; i++)
            s->to[i] = shard == 0 ? from[i] : s->to[i] + from[i];
    }
}

void trainer_end_exchange(struct trainer *t)
{
    trainer_mark_messages(&t->clocks.marks);
    t->where.exchange->finish(t->where.exchange, t, &t->work.exchange_s);
    trainer_mark_messages(&t->clocks.marks);
}

static void refresh_share(int64_t worker, void *context)
{
    const struct trainer *t = context;
    plan_refresh(&t->forward.plan, worker);
    for (int i = 0; i < t->forward.plan.count; i++) {
        const struct reverse *r = &t->work.reverses[i];
        if (r->step->layer->kind->backward->refresh)
            r->step->layer->kind->backward->refresh(r, worker);
    }
}

static void refresh(struct trainer *t)
{
    t->forward.team.run(t->forward.team.workers, refresh_share, t);
}

/* ---- the side --------------------------------------------------------------------------------
 */

static enum status run(struct trainer *t, enum trainer_part part, int step,
                       const struct verify_extent *how, struct failure *f)
{
    struct task task = {t, step, NULL};
    (void)how;
    (void)f;
    if (part == PART_GATE)
        trainer_run_part(t, part, step, gate_share, &task);
    else if (part == PART_PARAMETERS)
        run_parameters(t, step);
    else if (part == PART_INPUT)
        run_stage(t, part, step, t->work.reverses[step].step->layer->kind->backward->input);
    else if (t->where.exchange)
        trainer_end_exchange(t);
    else
        update(t);
    if (t->where.exchange && part != PART_UPDATE)
        t->where.exchange->progress(t->where.exchange);
    return STATUS_OK;
}

/* Packs weights again as soon as all of them are updated. */
static enum status end(struct trainer *t, enum trainer_phase phase, struct failure *f)
{
    (void)f;
    if (phase == PHASE_UPDATE)
        trainer_run_part(t, PART_UPDATE, 0, refresh_share, t);
    return STATUS_OK;
}

enum status trainer_nothing(struct trainer *t, struct failure *f)
{
    (void)t;
    (void)f;
    return STATUS_OK;
}

const struct trainer_side trainer_local = {.computes = true,
                                           .open = trainer_nothing,
                                           .send = trainer_nothing,
                                           .forward = forward,
                                           .loss = loss,
                                           .run = run,
                                           .end = end,
                                           .fetch_all = trainer_nothing,
                                           .fetch_state = trainer_nothing,
                                           .refresh = refresh,
                                           .sum = sum,
                                           .update = update};
