#include "networks/training/trainer.h"

#include "harness/base/clock.h"
#include "harness/base/digest.h"
#include "harness/machine/memory.h"
#include "kernels/order.h"
#include "networks/layers/gate.h"
#include "networks/training/trainer_marks.h"
#include "networks/training/trainer_parts.h"
#include "networks/training/trainer_there.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- shards -------------------------------------------------------------------------------------
 */

/* Where shard `shard` of a batch begins. */
static int64_t shard_begin(const struct trainer *t, int64_t images, int64_t shard)
{
    int64_t first, end;
    if (shard == t->shards)
        return images;
    backward_share(images, t->shards, shard, &first, &end);
    return first;
}

int64_t trainer_images(const struct trainer *t)
{
    return t->own.count > 0 ? t->own.ends[t->own.count - 1] : 0;
}

void trainer_place(struct trainer *t, int64_t images)
{
    t->now = images;
    t->first_image = shard_begin(t, images, t->first_shard);
    for (int64_t s = 0; s < t->own.count; s++)
        t->own.ends[s] = shard_begin(t, images, t->first_shard + s + 1) - t->first_image;
    for (int i = 0; i < t->forward.plan.count; i++)
        t->forward.plan.steps[i].images = trainer_images(t);
}

static enum status find_shards(struct trainer *t, struct failure *f)
{
    const struct gradient_exchange *e = t->exchange;
    int64_t end;
    if (t->batch < 1 || t->shards < 1)
        return fail(f, STATUS_USAGE, "a batch has at least one image and one shard");
    backward_share(t->shards, e ? e->ranks : 1, e ? e->rank : 0, &t->first_shard, &end);
    t->own.count = end - t->first_shard;
    t->own.ends = calloc((size_t)t->own.count + 1, sizeof *t->own.ends);
    t->shard_losses = calloc((size_t)t->shards, sizeof *t->shard_losses);
    if (!t->own.ends || !t->shard_losses)
        return fail(f, STATUS_RESOURCE, "no memory for %lld shards", (long long)t->shards);
    trainer_place(t, t->batch);
    return STATUS_OK;
}

/* ---- memory -------------------------------------------------------------------------------------
 */

static size_t bytes_of(int64_t a, int64_t b)
{
    return memory_multiply(memory_multiply((size_t)a, (size_t)b), sizeof(float));
}

static enum status floats(float **out, int64_t a, int64_t b, const char *what, struct failure *f)
{
    const enum status status = memory_allocate((void **)out, bytes_of(a, b), what, f);
    if (status == STATUS_OK)
        memset(*out, 0, bytes_of(a, b));
    return status;
}

/* What goes over at every step. */
static enum status sent_floats(const struct trainer *t, float **out, int64_t a, int64_t b,
                               const char *what, struct failure *f)
{
    const struct trainer_elsewhere *e = t->elsewhere;
    if (!e)
        return floats(out, a, b, what, f);
    const enum status status = e->allocate(e, out, bytes_of(a, b), what, f);
    if (status == STATUS_OK)
        memset(*out, 0, bytes_of(a, b));
    return status;
}

static void free_sent(const struct trainer *t, float *array)
{
    if (t->elsewhere)
        t->elsewhere->release(array);
    else
        free(array);
}

static enum status allocate(struct trainer *t, struct failure *f)
{
    const struct network *n = t->forward.plan.network;
    const int64_t images = trainer_images(t), outputs = tensor_cells(network_output(n));
    enum status status =
        sent_floats(t, &t->images, images, tensor_cells(n->input), "the images", f);
    if (status == STATUS_OK && !t->loss->labels)
        status = sent_floats(t, &t->values, images, outputs, "the targets", f);
    for (int i = 0; status == STATUS_OK && i < 2; i++)
        status = floats(&t->slopes[i], images, trainer_widest(n), "the gradients of outputs", f);
    if (status == STATUS_OK)
        status = floats(&t->gradients, n->floats, 1, "the gradients of parameters", f);
    if (status == STATUS_OK && t->exchange)
        status = floats(&t->shard_gradients, n->floats, t->own.count, "the gradients of shards", f);
    for (int i = 0; status == STATUS_OK && i < t->optimizer->moments; i++)
        status = floats(&t->moments[i], n->floats, 1, "what the optimizer keeps", f);
    t->labels = calloc((size_t)images + 1, sizeof *t->labels);
    t->losses = calloc((size_t)images + 1, sizeof *t->losses);
    t->reverses = calloc((size_t)n->count, sizeof *t->reverses);
    t->backward_clocks = calloc((size_t)n->count, sizeof *t->backward_clocks);
    return status == STATUS_OK && (!t->labels || !t->losses || !t->reverses || !t->backward_clocks)
               ? fail(f, STATUS_RESOURCE, "no memory for %lld images", (long long)images)
               : status;
}

/* ---- opening ------------------------------------------------------------------------------------
 */

static enum status open_forward(struct trainer *t, struct failure *f)
{
    struct forward *w = &t->forward;
    t->draws = (struct draws){.seed = t->seed};
    w->plan.parameters = t->parameters;
    w->plan.batch = trainer_images(t);
    w->plan.whole_batch = t->batch;
    w->plan.training = true;
    w->plan.draws = t->drops ? &t->draws : NULL;
    w->input = t->images;
    if (t->elsewhere) {
        w->plan.elsewhere = true;
        w->elsewhere = there_forward_step;
        w->place = t;
    }
    return forward_open(w, f);
}

/* Step i reads its slopes from one of two places, and writes its input's to the other. */
static enum status open_reverse(struct trainer *t, int i, struct failure *f)
{
    struct plan *p = &t->forward.plan;
    struct reverse *r = &t->reverses[i];
    const int side = (p->count - 1 - i) % 2;
    *r = (struct reverse){.step = &p->steps[i],
                          .plan = p,
                          .shards = &t->own,
                          .gradients = {t->exchange ? t->shard_gradients : t->gradients,
                                        t->exchange ? p->network->floats : 0},
                          .slopes = t->slopes[side],
                          .input_slopes = i > 0 ? t->slopes[1 - side] : NULL};
    const struct backward *kind = r->step->layer->kind->backward;
    if (!kind)
        return fail(f, STATUS_USAGE, "network %s cannot be trained here: %s stands alone",
                    p->network->name, r->step->layer->name);
    return kind->prepare ? kind->prepare(r, f) : STATUS_OK;
}

static enum status open_reverses(struct trainer *t, struct failure *f)
{
    size_t bytes = 0;
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < t->forward.plan.count; i++) {
        status = open_reverse(t, i, f);
        bytes = bytes > t->reverses[i].scratch_bytes ? bytes : t->reverses[i].scratch_bytes;
    }
    const size_t page = memory_page(bytes);
    t->scratch_step = bytes == SIZE_MAX ? SIZE_MAX : (bytes + page) / page * page;
    if (status == STATUS_OK)
        status = memory_allocate((void **)&t->scratch,
                                 memory_multiply(t->scratch_step, (size_t)t->forward.team.workers),
                                 "the scratch", f);
    return status;
}

enum status trainer_open(struct trainer *t, struct failure *f)
{
    enum status status = trainer_can(t->forward.plan.network, f);
    if (status == STATUS_OK)
        status = memory_check(trainer_bytes(t),
                              "all outputs, their gradients, and those of the parameters", f);
    if (status == STATUS_OK)
        status = find_shards(t, f);
    if (status == STATUS_OK)
        status = allocate(t, f);
    if (status == STATUS_OK)
        status = open_forward(t, f);
    if (status == STATUS_OK)
        status = open_reverses(t, f);
    if (status == STATUS_OK)
        status = trainer_marks_open(t, f);
    if (status == STATUS_OK && t->elsewhere)
        status = t->elsewhere->open(t, f);
    if (status == STATUS_OK && t->elsewhere)
        status = there_send_parameters(t, f);
    return status;
}

void trainer_close(struct trainer *t)
{
    for (int i = 0; t->reverses && i < t->forward.plan.count; i++) {
        const struct reverse *r = &t->reverses[i];
        if (r->step && r->step->layer->kind->backward && r->step->layer->kind->backward->release)
            r->step->layer->kind->backward->release(&t->reverses[i]);
    }
    forward_close(&t->forward);
    free_sent(t, t->images);
    free_sent(t, t->values);
    free(t->labels);
    free(t->own.ends);
    free(t->reverses);
    free(t->backward_clocks);
    free(t->marks.parts);
    free(t->gradients);
    free(t->shard_gradients);
    free(t->losses);
    free(t->shard_losses);
    free(t->scratch);
    for (int i = 0; i < 2; i++) {
        free(t->slopes[i]);
        free(t->moments[i]);
    }
}

/* ---- the loss -----------------------------------------------------------------------------------
 */

struct loss_call trainer_loss_call(const struct trainer *t)
{
    return (struct loss_call){.outputs = t->forward.output,
                              .targets = {t->labels, t->values},
                              .values = tensor_cells(network_output(t->forward.plan.network)),
                              .whole = t->now,
                              .slopes = t->slopes[0],
                              .losses = t->losses};
}

static void loss_share(int64_t worker, void *context)
{
    const struct trainer *t = context;
    const struct loss_call call = trainer_loss_call(t);
    int64_t image, end;
    backward_share(trainer_images(t), t->forward.team.workers, worker, &image, &end);
    for (; image < end; image++)
        t->loss->run(&call, image);
}

/* The images of each shard in their order, then the shards. */
static double batch_loss(struct trainer *t)
{
    double sum = 0.0;
    for (int64_t s = 0; s < t->own.count; s++) {
        double *of_shard = &t->shard_losses[t->first_shard + s];
        *of_shard = 0.0;
        for (int64_t n = shard_first(&t->own, s); n < t->own.ends[s]; n++)
            *of_shard += t->losses[n];
    }
    if (t->exchange)
        t->exchange->gather(t->exchange, t->shard_losses, t->first_shard, t->own.count);
    for (int64_t s = 0; s < t->shards; s++)
        sum += t->shard_losses[s];
    return sum / (double)t->now;
}

static int64_t count_hits(const struct trainer *t)
{
    const struct loss_call call = trainer_loss_call(t);
    int64_t hits = 0;
    for (int64_t n = 0; t->loss->labels && n < trainer_images(t); n++) {
        const float *y = call.outputs + n * call.values;
        int64_t best = 0;
        for (int64_t i = 1; i < call.values; i++)
            best = y[i] > y[best] ? i : best;
        hits += best == t->labels[n];
    }
    return t->exchange ? t->exchange->sum(t->exchange, hits) : hits;
}

/* ---- where a loss that is not finite began ------------------------------------------------------
 */

static bool all_finite(const float *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static const char *culprit(const struct trainer *t, const struct step *s)
{
    const struct layer *l = s->layer;
    for (int i = 0; i < layer_parameter_count(l); i++) {
        const struct parameter_tensor tensor = layer_parameter(l, i);
        if (!all_finite(t->parameters + l->offset[i], parameter_floats(&tensor)))
            return "its parameters are no longer finite";
    }
    return all_finite(s->to, s->images * tensor_cells(s->out)) ? NULL : "its outputs are the first";
}

static enum status tell_not_finite(struct trainer *t, double loss, struct failure *f)
{
    const long long step = (long long)t->updates + 1;
    const enum status looked = t->elsewhere ? there_look(t, f) : STATUS_OK;
    if (looked != STATUS_OK)
        return looked;
    for (int i = 0; i < t->forward.plan.count; i++) {
        const struct step *s = &t->forward.plan.steps[i];
        const char *why = culprit(t, s);
        if (why)
            return fail(f, STATUS_WRONG,
                        "step %lld: the loss is %g; that began in layer %s: %s (a smaller "
                        "--learning-rate may help)",
                        step, loss, s->layer->name, why);
    }
    return fail(f, STATUS_WRONG, "step %lld: the loss is %g, though all outputs are finite", step,
                loss);
}

/* ---- backward -----------------------------------------------------------------------------------
 */

struct task {
    struct trainer *trainer;
    int step;
    backward_stage *stage;
};

/* The slopes of a step's outputs, back through what it drops and clamps. */
static void gate_share(int64_t worker, void *context)
{
    static gate_function *const gate[ISA_COUNT] = ISA_VARIANTS(layer_gate);
    const struct task *task = context;
    const struct trainer *t = task->trainer;
    const struct step *s = &t->forward.plan.steps[task->step];
    const int64_t cells = tensor_cells(s->out);
    const float scale = s->drop ? (float)dropout_scale(s->drop) : 1.0f;
    float *slopes = t->slopes[(t->forward.plan.count - 1 - task->step) % 2];
    enum isa isa = s->isa;
    int64_t image, end;
    while (!gate[isa])
        isa--;
    backward_share(s->images, t->forward.team.workers, worker, &image, &end);
    for (; image < end; image++) {
        struct gate g = {s->to + image * cells, slopes + image * cells, cells, 0.0f, 0.0f, scale};
        if (s->clamp) { /* what was dropped is 0, which the clamp does not let through either */
            g.least = s->clamp->kind->least;
            g.most = s->clamp->kind->most * scale;
            gate[isa](&g);
        } else {
            dropout_run(s->draws, s->drop, image, 0, g.slopes, cells, s->isa);
        }
    }
}

static void stage_share(int64_t worker, void *context)
{
    const struct task *task = context;
    struct trainer *t = task->trainer;
    task->stage(&t->reverses[task->step], worker, t->scratch + (size_t)worker * t->scratch_step);
}

static void run_stage(struct trainer *t, enum trainer_part part, int step, backward_stage *stage)
{
    struct task task = {t, step, stage};
    trainer_run_part(t, part, step, stage_share, &task);
}

static enum status run_gate(struct trainer *t, int step, const struct kept *k,
                            const struct judgement *how, struct failure *f)
{
    const struct step *s = &t->forward.plan.steps[step];
    struct task task = {t, step, NULL};
    const float *slopes = t->reverses[step].slopes;
    if (!s->clamp && !s->drop)
        return STATUS_OK;
    if (how)
        memcpy(k->slopes, slopes, bytes_of(s->images, tensor_cells(s->out)));
    const enum status status = t->elsewhere ? there_run(t, PART_GATE, step, how, f) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    if (!t->elsewhere)
        trainer_run_part(t, PART_GATE, step, gate_share, &task);
    return how ? judge_gate(t, step, k, how, f) : STATUS_OK;
}

static void begin_exchange(struct trainer *t, const struct layer *l)
{
    const int tensors = layer_parameter_count(l);
    if (!t->exchange || tensors == 0)
        return;
    const struct parameter_tensor last = layer_parameter(l, tensors - 1);
    trainer_mark_messages(t);
    t->exchange->begin(t->exchange, t, l->offset[0],
                       l->offset[tensors - 1] + parameter_floats(&last) - l->offset[0]);
}

/* One step backward elsewhere, where nothing is exchanged. */
static enum status reverse_there(struct trainer *t, int step, const struct kept *k,
                                 const struct judgement *how, struct failure *f)
{
    const bool parameters = layer_parameter_count(t->reverses[step].step->layer) > 0;
    const bool input = t->reverses[step].input_slopes != NULL;
    enum status status = run_gate(t, step, k, how, f);
    if (status == STATUS_OK && parameters)
        status = there_run(t, PART_PARAMETERS, step, how, f);
    if (status == STATUS_OK && parameters && how)
        status = judge_parameters(t, step, how, f);
    if (status == STATUS_OK && input)
        status = there_run(t, PART_INPUT, step, how, f);
    return status == STATUS_OK && input && how ? judge_input(t, step, how, f) : status;
}

/* One step backward; where it is verified, what was computed is looked at before it is used. */
static enum status run_reverse(struct trainer *t, int step, const struct kept *k,
                               const struct judgement *how, struct failure *f)
{
    if (t->elsewhere)
        return reverse_there(t, step, k, how, f);
    const struct reverse *r = &t->reverses[step];
    const struct backward *kind = r->step->layer->kind->backward;
    enum status status = run_gate(t, step, k, how, f);
    for (int i = 0; i < BACKWARD_STAGES && kind->parameters[i]; i++)
        run_stage(t, PART_PARAMETERS, step, kind->parameters[i]);
    begin_exchange(t, r->step->layer);
    if (status == STATUS_OK && how)
        status = judge_parameters(t, step, how, f);
    if (r->input_slopes)
        run_stage(t, PART_INPUT, step, kind->input);
    if (t->exchange)
        t->exchange->progress(t->exchange);
    if (status == STATUS_OK && how && r->input_slopes)
        status = judge_input(t, step, how, f);
    return status;
}

/* ---- the update ---------------------------------------------------------------------------------
 */

struct update trainer_update(const struct trainer *t, int64_t first, int64_t count)
{
    struct update u = {.parameters = t->parameters + first,
                       .gradients = t->gradients + first,
                       .count = count,
                       .rate = t->rate,
                       .step = t->updates + 1};
    for (int i = 0; i < t->optimizer->moments; i++)
        u.moments[i] = t->moments[i] + first;
    return u;
}

/* Whole cache lines to each worker. */
static void update_share(int64_t worker, void *context)
{
    enum { LINE = 16 };
    const struct trainer *t = context;
    const int64_t all = t->forward.plan.network->floats;
    int64_t first, end;
    enum isa isa = t->forward.plan.isa;
    while (!t->optimizer->run[isa])
        isa--;
    backward_share((all + LINE - 1) / LINE, t->forward.team.workers, worker, &first, &end);
    first = smaller(first * LINE, all);
    end = smaller(end * LINE, all);
    const struct update u = trainer_update(t, first, end - first);
    t->optimizer->run[isa](&u);
}

void trainer_update_here(struct trainer *t)
{
    trainer_run_part(t, PART_UPDATE, 0, update_share, t);
}

static void refresh_share(int64_t worker, void *context)
{
    const struct trainer *t = context;
    plan_refresh(&t->forward.plan, worker);
    for (int i = 0; i < t->forward.plan.count; i++) {
        const struct reverse *r = &t->reverses[i];
        if (r->step->layer->kind->backward->refresh)
            r->step->layer->kind->backward->refresh(r, worker);
    }
}

void trainer_refresh(struct trainer *t)
{
    if (t->elsewhere)
        there_send_parameters(t, &t->pending);
    else
        t->forward.team.run(t->forward.team.workers, refresh_share, t);
}

enum status trainer_bring(struct trainer *t, struct failure *f)
{
    return t->elsewhere ? there_fetch_parameters(t, f) : STATUS_OK;
}

uint64_t trainer_hash(const struct trainer *t)
{
    return digest_range(t->parameters, 0, t->forward.plan.network->floats);
}

static void keep_before_update(const struct trainer *t, const struct kept *k)
{
    const size_t bytes = bytes_of(t->forward.plan.network->floats, 1);
    memcpy(k->parameters, t->parameters, bytes);
    for (int i = 0; i < t->optimizer->moments; i++)
        memcpy(k->moments[i], t->moments[i], bytes);
}

static enum status update_there(struct trainer *t, const struct judgement *how, struct failure *f)
{
    enum status status = there_run(t, PART_UPDATE, 0, how, f);
    if (status == STATUS_OK)
        status = t->elsewhere->end(t, PHASE_UPDATE, f);
    if (status == STATUS_OK && t->forward.clocked)
        there_add_times(t);
    return status;
}

static void exchange_and_update(struct trainer *t, struct step_seconds *seconds)
{
    trainer_mark_messages(t);
    t->exchange->finish(t->exchange, t, &seconds->exchange_s);
    trainer_mark_messages(t);
}

static enum status run_update(struct trainer *t, const struct kept *k, const struct judgement *how,
                              struct step_seconds *seconds, struct failure *f)
{
    const double start = clock_now();
    enum status status = STATUS_OK;
    if (how)
        keep_before_update(t, k);
    if (t->elsewhere)
        status = update_there(t, how, f);
    else if (t->exchange)
        exchange_and_update(t, seconds);
    else
        trainer_update_here(t);
    if (status == STATUS_OK && how && (!t->exchange || t->exchange->updates))
        status = judge_update(t, k, how, f);
    t->updates++;
    if (!t->elsewhere)
        trainer_run_part(t, PART_UPDATE, 0, refresh_share, t);
    trainer_mark_moment(t, MOMENT_UPDATED);
    seconds->update_s = clock_now() - start - seconds->exchange_s;
    return status;
}

/* ---- a step -------------------------------------------------------------------------------------
 */

static enum status make_kept(const struct trainer *t, const struct judgement *how, struct kept *k,
                             struct failure *f)
{
    const struct network *n = t->forward.plan.network;
    *k = (struct kept){0};
    if (!how)
        return STATUS_OK;
    enum status status =
        floats(&k->slopes, trainer_images(t), trainer_widest(n), "the verification", f);
    if (status == STATUS_OK)
        status = floats(&k->parameters, n->floats, 1, "the verification", f);
    for (int i = 0; status == STATUS_OK && i < t->optimizer->moments; i++)
        status = floats(&k->moments[i], n->floats, 1, "the verification", f);
    return status;
}

static void free_kept(const struct kept *k)
{
    free(k->slopes);
    free(k->parameters);
    for (int i = 0; i < MOMENTS; i++)
        free(k->moments[i]);
}

static enum status run_layers(struct trainer *t, const struct judgement *how, struct failure *f)
{
    if (t->elsewhere)
        return there_forward(t, how, f);
    if (how && trainer_images(t) > 0)
        return forward_judge(&t->forward, how, f);
    forward_run(&t->forward);
    return STATUS_OK;
}

static enum status run_loss(struct trainer *t, const struct judgement *how,
                            struct step_seconds *seconds, struct failure *f)
{
    if (!t->elsewhere) {
        trainer_run_part(t, PART_LOSS, 0, loss_share, t);
        return STATUS_OK;
    }
    const enum status status = there_loss(t, f);
    const double start = clock_now();
    if (status != STATUS_OK)
        return status;
    const enum status collected = there_collect(t, how, f);
    seconds->collect_s = clock_now() - start;
    return collected;
}

/* Processes that work together all come to the loss, whatever one of them finds wrong; where layers
 * failed elsewhere there is none. */
static enum status run_forward(struct trainer *t, const struct judgement *how,
                               struct step_result *out, struct failure *f)
{
    const double begin = clock_now();
    enum status status = STATUS_OK;
    t->draws.step = t->updates;
    t->draws.first_image = t->first_image;
    if (t->elsewhere)
        status = there_send(t, f);
    const double start = clock_now();
    if (status == STATUS_OK)
        status = run_layers(t, how, f);
    const double middle = clock_now();
    trainer_mark_moment(t, MOMENT_FORWARD);
    if (status != STATUS_OK && t->elsewhere)
        return status;
    const enum status lost = run_loss(t, how, &out->seconds, f);
    if (lost != STATUS_OK)
        return lost;
    out->loss = batch_loss(t);
    out->hits = count_hits(t);
    out->seconds.send_s = start - begin;
    out->seconds.forward_s = middle - start;
    out->seconds.loss_s = clock_now() - middle - out->seconds.collect_s;
    trainer_mark_moment(t, MOMENT_LOSS);
    return status == STATUS_OK && how ? judge_loss(t, how, f) : status;
}

void trainer_add_time(struct step_clock *clock, double seconds)
{
    clock->fastest_s = clock->executions++ > 0 ? fmin(clock->fastest_s, seconds) : seconds;
    clock->sum_s += seconds;
}

/* Elsewhere the device clocks its parts. */
static void add_time(const struct trainer *t, struct step_clock *clock, double seconds)
{
    if (t->forward.clocked && !t->elsewhere)
        trainer_add_time(clock, seconds);
}

/* Processes that work together all run every part, whatever one of them finds wrong. */
static enum status run_backward(struct trainer *t, const struct judgement *how,
                                const struct kept *k, struct step_result *out, struct failure *f)
{
    enum status status = STATUS_OK;
    const double start = clock_now();
    for (int i = t->forward.plan.count - 1; i >= 0; i--) {
        const double began = clock_now();
        const enum status found = run_reverse(t, i, k, status == STATUS_OK ? how : NULL, f);
        add_time(t, &t->backward_clocks[i], clock_now() - began);
        if (t->elsewhere && found != STATUS_OK)
            return found;
        status = status == STATUS_OK ? found : status;
    }
    if (t->elsewhere)
        status = t->elsewhere->end(t, PHASE_BACKWARD, f);
    if (t->elsewhere && status != STATUS_OK)
        return status;
    out->seconds.backward_s = clock_now() - start;
    trainer_mark_moment(t, MOMENT_BACKWARD);
    const enum status updated =
        run_update(t, k, status == STATUS_OK ? how : NULL, &out->seconds, f);
    add_time(t, &t->update_clock, out->seconds.update_s);
    return status == STATUS_OK ? updated : status;
}

enum status trainer_step(struct trainer *t, const struct judgement *how, struct step_result *out,
                         struct failure *f)
{
    struct kept k;
    *out = (struct step_result){0};
    enum status status = make_kept(t, how, &k, f);
    if (status != STATUS_OK) {
        free_kept(&k);
        return status;
    }
    trainer_marks_begin(t);
    status = run_forward(t, how, out, f);
    if (t->elsewhere && status != STATUS_OK) {
        free_kept(&k);
        return status;
    }
    if (!isfinite(out->loss)) { /* in every process */
        const enum status told = tell_not_finite(t, out->loss, f);
        status = status == STATUS_OK ? told : status;
    } else {
        const enum status back = run_backward(t, status == STATUS_OK ? how : NULL, &k, out, f);
        status = status == STATUS_OK ? back : status;
    }
    free_kept(&k);
    return status;
}
