#include "networks/training/trainer.h"

#include "harness/base/clock.h"
#include "harness/base/digest.h"
#include "harness/machine/memory.h"
#include "networks/training/trainer_parts.h"
#include "networks/training/trainer_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- shards -------------------------------------------------------------------------------------
 */

/* The first image of shard `shard` in a batch of `images`. */
static int64_t shard_begin(const struct trainer *t, int64_t images, int64_t shard)
{
    int64_t first, end;
    if (shard == t->settings.shards)
        return images;
    shares_part(images, t->settings.shards, shard, &first, &end);
    return first;
}

void trainer_place(struct trainer *t, int64_t images)
{
    t->share.now = images;
    t->share.first_image = shard_begin(t, images, t->share.first_shard);
    for (int64_t s = 0; s < t->share.own.count; s++)
        t->share.own.ends[s] =
            shard_begin(t, images, t->share.first_shard + s + 1) - t->share.first_image;
    for (int i = 0; i < t->forward.plan.count; i++)
        t->forward.plan.steps[i].images = trainer_images(t);
}

static enum status find_shards(struct trainer *t, struct failure *f)
{
    const struct gradient_exchange *e = t->where.exchange;
    int64_t end;
    if (t->settings.batch < 1 || t->settings.shards < 1)
        return fail(f, STATUS_USAGE, "a batch has at least one image and one shard");
    shares_part(t->settings.shards, e ? e->ranks : 1, e ? e->rank : 0, &t->share.first_shard, &end);
    t->share.own.count = end - t->share.first_shard;
    t->share.own.ends = calloc((size_t)t->share.own.count + 1, sizeof *t->share.own.ends);
    t->work.shard_losses = calloc((size_t)t->settings.shards, sizeof *t->work.shard_losses);
    if (!t->share.own.ends || !t->work.shard_losses)
        return fail(f, STATUS_RESOURCE, "no memory for %lld shards", (long long)t->settings.shards);
    trainer_place(t, t->settings.batch);
    return STATUS_OK;
}

/* ---- memory -------------------------------------------------------------------------------------
 */

static size_t bytes_of(int64_t a, int64_t b)
{
    return memory_multiply(memory_multiply((size_t)a, (size_t)b), sizeof(float));
}

/* Zeros that all workers write, each an equal part. */
struct zeros {
    float *values;
    int64_t count, workers;
};

static void zero_share(int64_t worker, void *context)
{
    const struct zeros *z = context;
    int64_t first, end;
    shares_part(z->count, z->workers, worker, &first, &end);
    memset(z->values + first, 0, (size_t)(end - first) * sizeof(float));
}

/* Each worker first touches its part, so that the nodes of all workers have a part of the memory:
 * of gradients of shards and outputs, that of the shards and images which it computes. */
static enum status floats(const struct trainer *t, float **out, int64_t a, int64_t b,
                          const char *what, struct failure *f)
{
    const enum status status = memory_allocate((void **)out, bytes_of(a, b), what, f);
    const struct team *team = &t->forward.team;
    if (status == STATUS_OK && t->work.side->computes) {
        struct zeros zeros = {*out, a * b, team->workers};
        team->run(team->workers, zero_share, &zeros);
    }
    return status;
}

static const struct trainer_side *side_of(const struct trainer_where *where)
{
    return where->device ? &trainer_on_device : where->dry_run ? &trainer_dry : &trainer_local;
}

/* Called before the trainer is open, too. */
int64_t trainer_shard_step(const struct trainer *t, int64_t floats)
{
    return side_of(&t->where)->computes ? floats : 0;
}

/* The number of shards whose gradients have separate memory in this process. */
static int64_t local_shards(const struct trainer *t)
{
    return t->work.side->computes ? t->share.own.count : 1;
}

/* Allocates an array that is sent at every step. */
static enum status sent_floats(const struct trainer *t, float **out, int64_t a, int64_t b,
                               const char *what, struct failure *f)
{
    const struct device_steps *e = t->where.device;
    if (!e)
        return floats(t, out, a, b, what, f);
    const enum status status = e->allocate(e, out, bytes_of(a, b), what, f);
    if (status == STATUS_OK)
        memset(*out, 0, bytes_of(a, b));
    return status;
}

static void free_sent(const struct trainer *t, float *array)
{
    if (t->where.device)
        t->where.device->release(array);
    else
        free(array);
}

/* Allocates gradients: those that are exchanged are copied from a device and to it at every step.
 */
static enum status gradient_floats(const struct trainer *t, float **out, int64_t shards,
                                   const char *what, struct failure *f)
{
    const int64_t each = t->forward.plan.network->floats;
    return t->where.exchange ? sent_floats(t, out, each, shards, what, f)
                             : floats(t, out, each, shards, what, f);
}

static void free_gradients(const struct trainer *t, float *array)
{
    if (t->where.exchange)
        free_sent(t, array);
    else
        free(array);
}

static enum status allocate(struct trainer *t, struct failure *f)
{
    const struct network *n = t->forward.plan.network;
    const int64_t images = trainer_images(t), outputs = tensor_elements(network_output(n));
    enum status status =
        sent_floats(t, &t->share.images, images, tensor_elements(n->input), "the images", f);
    if (status == STATUS_OK && !t->settings.loss->labels)
        status = sent_floats(t, &t->share.values, images, outputs, "the targets", f);
    for (int i = 0; status == STATUS_OK && i < 2; i++)
        status = floats(t, &t->work.d_output[i], images, trainer_widest(n),
                        "the gradients of outputs", f);
    if (status == STATUS_OK)
        status = gradient_floats(t, &t->work.gradients, 1, "the gradients of parameters", f);
    if (status == STATUS_OK && t->where.exchange)
        status = gradient_floats(t, &t->work.shard_gradients, local_shards(t),
                                 "the gradients of shards", f);
    for (int i = 0; status == STATUS_OK && i < t->settings.optimizer->moments; i++)
        status = floats(t, &t->state.moments[i], n->floats, 1, "what the optimizer keeps", f);
    t->share.labels = calloc((size_t)images + 1, sizeof *t->share.labels);
    t->work.losses = calloc((size_t)images + 1, sizeof *t->work.losses);
    t->work.reverses = calloc((size_t)n->count, sizeof *t->work.reverses);
    t->clocks.backward = calloc((size_t)n->count, sizeof *t->clocks.backward);
    return status == STATUS_OK &&
                   (!t->share.labels || !t->work.losses || !t->work.reverses || !t->clocks.backward)
               ? fail(f, STATUS_RESOURCE, "no memory for %lld images", (long long)images)
               : status;
}

/* ---- opening ------------------------------------------------------------------------------------
 */

static enum status open_forward(struct trainer *t, struct failure *f)
{
    struct forward *w = &t->forward;
    t->work.draws = (struct draws){.seed = t->settings.seed};
    w->plan.parameters = t->state.parameters;
    w->plan.batch = trainer_images(t);
    w->plan.whole_batch = t->settings.batch;
    w->plan.training = true;
    w->plan.draws = t->settings.drops ? &t->work.draws : NULL;
    w->input = t->share.images;
    w->plan.external = t->work.side->external;
    w->device_step = t->work.side->forward_step;
    w->device_context = t;
    return forward_open(w, f);
}

/* Step i reads its output gradient from one of two buffers, and writes its input gradient to the
 * other. */
static enum status open_reverse(struct trainer *t, int i, struct failure *f)
{
    struct plan *p = &t->forward.plan;
    struct reverse *r = &t->work.reverses[i];
    const int side = (p->count - 1 - i) % 2;
    *r = (struct reverse){
        .step = &p->steps[i],
        .plan = p,
        .shards = &t->share.own,
        .gradients = {t->where.exchange ? t->work.shard_gradients : t->work.gradients,
                      t->where.exchange ? p->network->floats : 0},
        .d_output = t->work.d_output[side],
        .d_input = i > 0 ? t->work.d_output[1 - side] : NULL};
    const struct backward *kind = r->step->layer->kind->backward;
    if (!kind)
        return fail(f, STATUS_USAGE, "network %s cannot be trained here: %s stands alone",
                    p->network->name, r->step->layer->name);
    return kind->prepare && t->work.side->computes ? kind->prepare(r, f) : STATUS_OK;
}

static enum status open_reverses(struct trainer *t, struct failure *f)
{
    size_t bytes = 0;
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < t->forward.plan.count; i++) {
        status = open_reverse(t, i, f);
        bytes =
            bytes > t->work.reverses[i].scratch_bytes ? bytes : t->work.reverses[i].scratch_bytes;
    }
    const size_t page = memory_page(bytes);
    t->work.scratch_step = bytes == SIZE_MAX ? SIZE_MAX : (bytes + page) / page * page;
    if (status == STATUS_OK)
        status =
            memory_allocate((void **)&t->work.scratch,
                            memory_multiply(t->work.scratch_step, (size_t)t->forward.team.workers),
                            "the scratch", f);
    return status;
}

enum status trainer_open(struct trainer *t, struct failure *f)
{
    t->work.side = side_of(&t->where);
    enum status (*const parts[])(struct trainer *, struct failure *) = {
        find_shards, allocate, open_forward, open_reverses, trainer_marks_open, t->work.side->open};
    enum status status = trainer_can(t->forward.plan.network, f);
    if (status == STATUS_OK)
        status = memory_check(trainer_bytes(t->forward.plan.network, &t->settings),
                              "all outputs, their gradients, and those of the parameters", f);
    for (size_t i = 0; status == STATUS_OK && i < sizeof parts / sizeof *parts; i++)
        status = parts[i](t, f);
    return status;
}

void trainer_close(struct trainer *t)
{
    for (int i = 0; t->work.reverses && i < t->forward.plan.count; i++) {
        const struct reverse *r = &t->work.reverses[i];
        if (r->step && r->step->layer->kind->backward && r->step->layer->kind->backward->release)
            r->step->layer->kind->backward->release(&t->work.reverses[i]);
    }
    forward_close(&t->forward);
    free_sent(t, t->share.images);
    free_sent(t, t->share.values);
    free(t->share.labels);
    free(t->share.own.ends);
    free(t->work.reverses);
    free(t->clocks.backward);
    free(t->clocks.marks.parts);
    free_gradients(t, t->work.gradients);
    free_gradients(t, t->work.shard_gradients);
    free(t->work.losses);
    free(t->work.shard_losses);
    free(t->work.scratch);
    for (int i = 0; i < 2; i++) {
        free(t->work.d_output[i]);
        free(t->state.moments[i]);
    }
}

/* ---- the loss -----------------------------------------------------------------------------------
 */

/* The mean loss: summed over the images of each shard in their order, then over the shards. */
static double batch_loss(struct trainer *t)
{
    double sum = 0.0;
    for (int64_t s = 0; s < t->share.own.count; s++) {
        double *of_shard = &t->work.shard_losses[t->share.first_shard + s];
        *of_shard = 0.0;
        for (int64_t n = shard_first(&t->share.own, s); n < t->share.own.ends[s]; n++)
            *of_shard += t->work.losses[n];
    }
    if (t->where.exchange)
        t->where.exchange->gather(t->where.exchange, t->work.shard_losses, t->share.first_shard,
                                  t->share.own.count);
    for (int64_t s = 0; s < t->settings.shards; s++)
        sum += t->work.shard_losses[s];
    return sum / (double)t->share.now;
}

static int64_t count_hits(const struct trainer *t)
{
    const struct loss_call call = trainer_loss_call(t);
    int64_t hits = 0;
    for (int64_t n = 0; t->settings.loss->labels && t->work.side->computes && n < trainer_images(t);
         n++) {
        const float *y = call.outputs + n * call.values;
        int64_t best = 0;
        for (int64_t i = 1; i < call.values; i++)
            best = y[i] > y[best] ? i : best;
        hits += best == t->share.labels[n];
    }
    return t->where.exchange ? t->where.exchange->sum(t->where.exchange, hits) : hits;
}

/* ---- the origin of a loss that is not finite ----------------------------------------------------
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
        if (!all_finite(t->state.parameters + l->offset[i], parameter_floats(&tensor)))
            return "its parameters are no longer finite";
    }
    return all_finite(s->to, s->images * tensor_elements(s->out)) ? NULL
                                                                  : "its outputs are the first";
}

static enum status describe_not_finite(struct trainer *t, double loss, struct failure *f)
{
    const long long step = (long long)t->state.updates + 1;
    const enum status fetched = t->work.side->fetch_all(t, f);
    if (fetched != STATUS_OK)
        return fetched;
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

/* ---- the update ---------------------------------------------------------------------------------
 */

void trainer_refresh(struct trainer *t)
{
    t->work.side->refresh(t);
}

enum status trainer_fetch_state(struct trainer *t, struct failure *f)
{
    return t->work.side->fetch_state(t, f);
}

uint64_t trainer_hash(const struct trainer *t)
{
    return digest_range(t->state.parameters, 0, t->forward.plan.network->floats);
}

void trainer_update_local(struct trainer *t)
{
    t->work.side->update(t);
}

void trainer_sum_shards(struct trainer *t, const struct shard_sum *s)
{
    t->work.side->sum(t, s);
}

/* The update of the current step. */
static struct updating begin_update(const struct trainer *t)
{
    enum isa isa = t->forward.plan.isa;
    struct update u = {.parameters = t->state.parameters,
                       .gradients = t->work.gradients,
                       .count = t->forward.plan.network->floats,
                       .rate = t->settings.rate,
                       .step = t->state.updates + 1};
    for (int i = 0; i < t->settings.optimizer->moments; i++)
        u.moments[i] = t->state.moments[i];
    if (t->settings.optimizer->begin)
        t->settings.optimizer->begin(&u);
    while (!t->settings.optimizer->run[isa])
        isa--;
    return (struct updating){u, t->settings.optimizer->moments, t->settings.optimizer->run[isa]};
}

/* ---- a step -------------------------------------------------------------------------------------
 */

static enum status make_kept(const struct trainer *t, const struct verify_extent *how,
                             struct kept *k, struct failure *f)
{
    const struct network *n = t->forward.plan.network;
    *k = (struct kept){0};
    if (!how)
        return STATUS_OK;
    enum status status =
        floats(t, &k->d_output, trainer_images(t), trainer_widest(n), "the verification", f);
    if (status == STATUS_OK)
        status = floats(t, &k->parameters, n->floats, 1, "the verification", f);
    for (int i = 0; status == STATUS_OK && i < t->settings.optimizer->moments; i++)
        status = floats(t, &k->moments[i], n->floats, 1, "the verification", f);
    return status;
}

/* Returns one status for all processes that hold shards of the batch. */
static enum status together(const struct trainer *t, enum status status, struct failure *f)
{
    return t->where.exchange ? t->where.exchange->common_status(status, f) : status;
}

/* Keeps what the part overwrites. */
static void keep_before(const struct trainer *t, enum trainer_part part, int step,
                        const struct kept *k)
{
    const struct reverse *r = &t->work.reverses[step];
    const size_t bytes = bytes_of(t->forward.plan.network->floats, 1);
    if (part == PART_GATE)
        memcpy(k->d_output, r->d_output, bytes_of(r->step->images, tensor_elements(r->step->out)));
    if (part != PART_UPDATE)
        return;
    memcpy(k->parameters, t->state.parameters, bytes);
    for (int i = 0; i < t->settings.optimizer->moments; i++)
        memcpy(k->moments[i], t->state.moments[i], bytes);
}

static void free_kept(const struct kept *k)
{
    free(k->d_output);
    free(k->parameters);
    for (int i = 0; i < MOMENTS; i++)
        free(k->moments[i]);
}

/* A verification or a device may fail in one of several processes: they settle on one status before
 * any of them waits for another. Without either no step fails. */
static enum status agreed(const struct trainer *t, const struct verify_extent *how,
                          enum status status, struct failure *f)
{
    return how || t->work.side->fails ? together(t, status, f) : status;
}

/* What dropout draws depends on the step and the image. */
static void begin_draws(struct trainer *t)
{
    t->work.draws.step = t->state.updates;
    t->work.draws.first_image = t->share.first_image;
}

static enum status run_forward(struct trainer *t, const struct verify_extent *how,
                               struct step_result *out, struct failure *f)
{
    const double begin = clock_now();
    begin_draws(t);
    enum status status = t->work.side->send(t, f);
    const double start = clock_now();
    if (status == STATUS_OK)
        status = t->work.side->forward(t, how, f);
    const double middle = clock_now();
    trainer_mark_moment(&t->clocks.marks, MOMENT_FORWARD);
    if (status == STATUS_OK)
        status = t->work.side->loss(t, how, &out->seconds.collect_s, f);
    status = agreed(t, how, status, f);
    if (status != STATUS_OK)
        return status;
    out->loss = batch_loss(t);
    out->hits = count_hits(t);
    out->seconds.send_s = start - begin;
    out->seconds.forward_s = middle - start;
    out->seconds.loss_s = clock_now() - middle - out->seconds.collect_s;
    trainer_mark_moment(&t->clocks.marks, MOMENT_LOSS);
    return how ? together(t, verify_loss(t, how, f), f) : status;
}

/* Runs a part, and compares its results with the oracle. */
static enum status run_verified(struct trainer *t, enum trainer_part part, int step,
                                const struct kept *k, const struct verify_extent *how,
                                struct failure *f)
{
    if (how)
        keep_before(t, part, step, k);
    const enum status status = t->work.side->run(t, part, step, how, f);
    return status == STATUS_OK && how ? verify_part(t, part, step, k, how, f) : status;
}

static bool has_part(const struct trainer *t, enum trainer_part part, int step)
{
    const struct reverse *r = &t->work.reverses[step];
    if (part == PART_GATE)
        return r->step->clamp || r->step->drop;
    return part == PART_PARAMETERS ? layer_parameter_count(r->step->layer) > 0 : r->d_input != NULL;
}

/* True if a part that fails ends the step: no other process waits for later parts. */
static bool ends_alone(const struct trainer *t)
{
    return t->work.side->fails && !t->where.exchange;
}

/* Runs one step backward. Parameters come before the input, so that their gradients are under way
 * to other ranks while the input gradient is computed. */
static enum status run_reverse(struct trainer *t, int step, const struct kept *k,
                               const struct verify_extent *how, struct failure *f)
{
    static const enum trainer_part parts[] = {PART_GATE, PART_PARAMETERS, PART_INPUT};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!has_part(t, parts[i], step))
            continue;
        const enum status found =
            run_verified(t, parts[i], step, k, status == STATUS_OK ? how : NULL, f);
        status = status == STATUS_OK ? found : status;
        if (status != STATUS_OK && ends_alone(t))
            return status;
    }
    return status;
}

/* Makes the update. It is verified in the processes that make it. */
static enum status run_update(struct trainer *t, const struct kept *k,
                              const struct verify_extent *how, struct step_seconds *seconds,
                              struct failure *f)
{
    const double start = clock_now();
    const bool here = !t->where.exchange || t->where.exchange->updates;
    const enum status status = run_verified(t, PART_UPDATE, 0, k, here ? how : NULL, f);
    t->state.updates++;
    const enum status ended = t->work.side->end(t, PHASE_UPDATE, f);
    trainer_mark_moment(&t->clocks.marks, MOMENT_UPDATED);
    seconds->exchange_s = t->work.exchange_s;
    seconds->update_s = clock_now() - start - seconds->exchange_s;
    return status == STATUS_OK ? ended : status;
}

/* Adds a time, unless the parts are timed by the device. */
static void add_time(const struct trainer *t, struct step_clock *clock, double seconds)
{
    if (t->forward.clocked && !t->work.side->clocks)
        trainer_add_time(clock, seconds);
}

/* A verified part is copied to the host at once; so its gradients are not copied behind it. */
static void begin_backward(struct trainer *t, const struct verify_extent *how)
{
    const struct device_steps *e = t->where.device;
    t->work.updating = begin_update(t);
    t->work.exchange_s = 0.0;
    t->work.overlaps = e && t->where.exchange && e->overlaps && !how;
}

/* Processes that work together run every part, even if one of them finds an error. */
static enum status run_backward(struct trainer *t, const struct verify_extent *how,
                                const struct kept *k, struct step_result *out, struct failure *f)
{
    enum status status = STATUS_OK;
    const double start = clock_now();
    begin_backward(t, how);
    for (int i = t->forward.plan.count - 1; i >= 0; i--) {
        const double began = clock_now();
        const enum status found = run_reverse(t, i, k, status == STATUS_OK ? how : NULL, f);
        add_time(t, &t->clocks.backward[i], clock_now() - began);
        status = status == STATUS_OK ? found : status;
        if (status != STATUS_OK && ends_alone(t))
            return status;
    }
    const enum status ended = t->work.side->end(t, PHASE_BACKWARD, f);
    status = status == STATUS_OK ? ended : status;
    if (t->work.side->fails)
        status = together(t, status, f);
    if (t->work.side->fails && status != STATUS_OK) {
        if (t->where.exchange)
            t->where.exchange->abandon(t->where.exchange);
        return status;
    }
    out->seconds.backward_s = clock_now() - start;
    trainer_mark_moment(&t->clocks.marks, MOMENT_BACKWARD);
    const enum status updated =
        run_update(t, k, status == STATUS_OK ? how : NULL, &out->seconds, f);
    add_time(t, &t->clocks.update, out->seconds.update_s);
    status = status == STATUS_OK ? updated : status;
    return t->work.side->fails ? together(t, status, f) : status;
}

/* ---- a step whose parts are joined --------------------------------------------------------------
 */

static bool is_joined(const struct trainer *t, const struct verify_extent *how)
{
    return t->where.device && t->where.device->joins && !how;
}

static enum status queue_joined(struct trainer *t, struct step_result *out, struct failure *f)
{
    const struct trainer_side *side = t->work.side;
    begin_draws(t);
    begin_backward(t, NULL);
    enum status status = side->send(t, f);
    if (status == STATUS_OK)
        status = side->forward(t, NULL, f);
    if (status == STATUS_OK)
        status = side->loss(t, NULL, &out->seconds.collect_s, f);
    for (int i = t->forward.plan.count - 1; status == STATUS_OK && i >= 0; i--)
        status = run_reverse(t, i, NULL, NULL, f);
    return status == STATUS_OK ? side->run(t, PART_UPDATE, 0, NULL, f) : status;
}

/* Runs all parts, the update included; that one changes nothing if a loss is not finite. Losses are
 * so much smaller than the largest double that their sum is finite if each of them is. */
static enum status run_joined(struct trainer *t, struct step_result *out, struct failure *f)
{
    t->work.joined = true;
    enum status status = queue_joined(t, out, f);
    if (status == STATUS_OK)
        status = t->work.side->finish(t, &out->seconds, f);
    t->work.joined = false;
    if (status != STATUS_OK)
        return status;
    out->loss = batch_loss(t);
    out->hits = count_hits(t);
    return STATUS_OK;
}

/* ---- any step -----------------------------------------------------------------------------------
 */

struct stepping {
    struct trainer *trainer;
    const struct verify_extent *how;
    const struct kept *kept;
    struct step_result *out;
    enum status status;
    struct failure *failure;
};

static void run_parts(void *context)
{
    struct stepping *s = context;
    const bool joined = is_joined(s->trainer, s->how);
    s->status = joined ? run_joined(s->trainer, s->out, s->failure)
                       : run_forward(s->trainer, s->how, s->out, s->failure);
    if (s->status != STATUS_OK)
        return;
    if (!isfinite(s->out->loss)) /* in every process */
        s->status = describe_not_finite(s->trainer, s->out->loss, s->failure);
    else if (joined)
        s->trainer->state.updates++;
    else
        s->status = run_backward(s->trainer, s->how, s->kept, s->out, s->failure);
}

enum status trainer_step(struct trainer *t, const struct verify_extent *how,
                         struct step_result *out, struct failure *f)
{
    struct kept k;
    struct stepping s = {t, how, &k, out, STATUS_OK, f};
    *out = (struct step_result){0};
    enum status status = make_kept(t, how, &k, f);
    if (how)
        status = together(t, status, f);
    if (status != STATUS_OK) {
        free_kept(&k);
        return status;
    }
    trainer_marks_begin(t);
    team_hold(t->forward.team, run_parts, &s);
    free_kept(&k);
    return s.status;
}

static enum status prepare_phases(struct trainer *t, struct step_result *out, struct failure *f)
{
    enum status status = run_forward(t, NULL, out, f);
    begin_backward(t, NULL);
    for (int i = t->forward.plan.count - 1; status == STATUS_OK && i >= 0; i--)
        status = run_reverse(t, i, NULL, NULL, f);
    return status == STATUS_OK ? t->where.device->end(t, PHASE_BACKWARD, f) : status;
}

enum status trainer_prepare(struct trainer *t, struct failure *f)
{
    const struct device_steps *e = t->where.device;
    struct step_result unused = {0};
    if (!e || !e->prepare(t, true))
        return STATUS_OK;
    const enum status status =
        is_joined(t, NULL) ? run_joined(t, &unused, f) : prepare_phases(t, &unused, f);
    e->prepare(t, false);
    return together(t, status, f);
}
