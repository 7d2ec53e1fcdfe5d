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
    struct taker taker = {
        .shares = &t->forward.shares, .worker = worker, .units = trainer_images(t)};
    while (shares_take(&taker))
        for (int64_t image = taker.first; image < taker.end; image++)
            t->settings.loss->run(&call, image);
}

static enum status loss(struct trainer *t, const struct verify_extent *how, double *collect_s,
                        struct failure *f)
{
    (void)how;
    (void)collect_s;
    (void)f;
    trainer_run_part(t, PART_LOSS, 0, 1, loss_share, t);
    return STATUS_OK;
}

/* ---- backward --------------------------------------------------------------------------------
 */

struct task {
    struct trainer *trainer;
    int step;
    const struct backward_stage *stage;
};

/* Passes a step's output gradient back through its dropout and its clamp. */
static void gate_images(const struct task *task, int64_t image, int64_t end)
{
    static gate_function *const gate[ISA_COUNT] = ISA_VARIANTS(layer_gate);
    const struct trainer *t = task->trainer;
    const struct step *s = &t->forward.plan.steps[task->step];
    const int64_t elements = tensor_elements(s->out);
    const float scale = s->drop ? (float)dropout_scale(s->drop) : 1.0f;
    float *d_output = t->work.d_output[(t->forward.plan.count - 1 - task->step) % 2];
    enum isa isa = s->isa;
    while (!gate[isa])
        isa--;
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

static void gate_share(int64_t worker, void *context)
{
    const struct task *task = context;
    struct taker taker = {.shares = &task->trainer->forward.shares,
                          .worker = worker,
                          .units = task->trainer->forward.plan.steps[task->step].images};
    while (shares_take(&taker))
        gate_images(task, taker.first, taker.end);
}

static int64_t pieces_of_gate(const struct step *s)
{
    enum { PIECE_ELEMENTS = 1 << 16 };
    const double images = (double)s->images / (double)s->workers;
    return shares_pieces(images, 1.0, images * (double)tensor_elements(s->out), PIECE_ELEMENTS);
}

static void stage_share(int64_t worker, void *context)
{
    const struct task *task = context;
    struct trainer *t = task->trainer;
    task->stage->run(&t->work.reverses[task->step], &t->forward.shares, worker,
                     t->work.scratch + (size_t)worker * t->work.scratch_step);
}

static void run_stage(struct trainer *t, enum trainer_part part, int step,
                      const struct backward_stage *stage)
{
    struct task task = {t, step, stage};
    trainer_run_part(t, part, step, stage->pieces(&t->work.reverses[step]), stage_share, &task);
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
    for (int i = 0; i < BACKWARD_STAGES && kind->parameters[i].run; i++)
        run_stage(t, PART_PARAMETERS, step, &kind->parameters[i]);
    if (t->where.exchange)
        trainer_begin_exchange(t, l);
}

/* ---- the update ------------------------------------------------------------------------------
 */

enum { LINE = 16 }; /* floats in a cache line */

/* Each worker updates whole cache lines. */
static void update_share(int64_t worker, void *context)
{
    const struct trainer *t = context;
    const int64_t all = t->work.updating.all.count;
    struct taker taker = {
        .shares = &t->forward.shares, .worker = worker, .units = (all + LINE - 1) / LINE};
    while (shares_take(&taker)) {
        const int64_t first = taker.first * LINE;
        const struct update u =
            update_piece(&t->work.updating, first, smaller(taker.end * LINE, all) - first);
        t->work.updating.run(&u);
    }
}

static void update(struct trainer *t)
{
    enum { PIECE_FLOATS = 1 << 15 };
    const double floats = (double)t->work.updating.all.count / (double)t->forward.team.workers;
    trainer_run_part(t, PART_UPDATE, 0, shares_pieces(floats, LINE, floats, PIECE_FLOATS),
                     update_share, t);
}

void trainer_add_shards(struct trainer *t, const struct shard_sum *s)
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

static void refresh_worker(const struct trainer *t, int64_t worker)
{
    plan_refresh(&t->forward.plan, worker);
    for (int i = 0; i < t->forward.plan.count; i++) {
        const struct reverse *r = &t->work.reverses[i];
        if (r->step->layer->kind->backward->refresh)
            r->step->layer->kind->backward->refresh(r, worker);
    }
}

/* A unit is what one worker packs. */
static void refresh_share(int64_t worker, void *context)
{
    const struct trainer *t = context;
    struct taker taker = {
        .shares = &t->forward.shares, .worker = worker, .units = t->forward.team.workers};
    while (shares_take(&taker))
        refresh_worker(t, taker.owner);
}

static void refresh(struct trainer *t)
{
    shares_begin(&t->forward.shares, t->forward.team.workers, 1);
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
        trainer_run_part(t, part, step, pieces_of_gate(&t->forward.plan.steps[step]), gate_share,
                         &task);
    else if (part == PART_PARAMETERS)
        run_parameters(t, step);
    else if (part == PART_INPUT)
        run_stage(t, part, step, &t->work.reverses[step].step->layer->kind->backward->input);
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
        trainer_run_part(t, PART_UPDATE, 0, 1, refresh_share, t);
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
                                           .sum = trainer_add_shards,
                                           .update = update};
