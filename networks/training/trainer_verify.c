/* A training step verified part by part: each value is compared with its oracle in double
 * precision, computed from the floats that the part really received. */
#include "harness/base/digest.h"
#include "networks/training/trainer_parts.h"

#include <math.h>
#include <stdlib.h>

/* What one worker found. */
struct finding {
    struct failure failure;
    struct error_tally errors;
};

/* A verification of `count` values; `verify` compares the value of a given index. */
struct verification {
    struct trainer *trainer;
    const struct verify_extent *how;
    const struct kept *kept;
    int step, tensor;
    int64_t count;    /* number of values */
    int64_t verified; /* how many are verified */
    enum status (*verify)(const struct verification *q, int64_t at, struct finding *to);
    struct error_tally *errors; /* collects the errors of all workers; NULL: not wanted */
    struct finding *findings;   /* one per worker */
};

static enum status compare(const struct verification *q, const char *what, int64_t at, float found,
                           struct expectation e, struct finding *to)
{
    struct failure *f = &to->failure;
    error_tally_add(&to->errors, e, found);
    if (oracle_accepts(e, found))
        return STATUS_OK;
    if (!isfinite(found) && !isfinite((float)e.value))
        return fail(f, STATUS_WRONG,
                    "step %lld: %s is %g at value %lld: float32 holds no more (a smaller "
                    "--learning-rate, or data of smaller values, may help)",
                    (long long)q->trainer->state.updates + 1, what, (double)found, (long long)at);
    return fail(f, STATUS_WRONG,
                "step %lld: %s is wrong at %lld: %.9g where %.9g, give or take %.3g, is right",
                (long long)q->trainer->state.updates + 1, what, (long long)at, (double)found,
                e.value, e.bound);
}

/* The index of the i-th value to verify: all in order; or the first, the last, and drawn ones. */
static int64_t place_of(const struct verification *q, int64_t i)
{
    if (q->verified == q->count)
        return i;
    if (i < 2)
        return i * (q->count - 1);
    const uint64_t key = q->how->seed + (uint64_t)(q->step * LAYER_PARAMETERS + q->tensor);
    return (int64_t)(digest_mix(digest_mix(key) + (uint64_t)i) % (uint64_t)q->count);
}

static void verify_values_share(int64_t worker, void *context)
{
    const struct verification *q = context;
    enum status status = STATUS_OK;
    for (int64_t i = worker; status == STATUS_OK && i < q->verified;
         i += q->trainer->forward.team.workers)
        status = q->verify(q, place_of(q, i), &q->findings[worker]);
}

static enum status verify_values(struct verification *q, int64_t drawn, struct failure *f)
{
    const struct team *team = &q->trainer->forward.team;
    enum status status = STATUS_OK;
    q->verified = q->how->full || q->count <= drawn ? q->count : drawn;
    q->findings = calloc((size_t)team->workers, sizeof *q->findings);
    if (!q->findings)
        return fail(f, STATUS_RESOURCE, "no memory for the verification");
    team->run(team->workers, verify_values_share, q);
    for (int64_t w = 0; status == STATUS_OK && w < team->workers; w++)
        if (q->findings[w].failure.status != STATUS_OK)
            status = fail(f, q->findings[w].failure.status, "%s", q->findings[w].failure.message);
    for (int64_t w = 0; q->errors && w < team->workers; w++)
        error_tally_join(q->errors, &q->findings[w].errors);
    free(q->findings);
    return status;
}

/* Fewer sums over a whole batch are verified: each costs as much as many outputs. */
enum { DRAWN_SUMS = 64 };

/* ---- the loss ----------------------------------------------------------------------------------
 */

static enum status verify_d_output(const struct verification *q, int64_t at, struct finding *to)
{
    const struct loss_call call = trainer_loss_call(q->trainer);
    const int64_t image = at / call.values, value = at % call.values;
    const struct expectation e = q->trainer->settings.loss->expect(&call, image);
    if (!(fabs(call.losses[image] - e.value) <= e.bound))
        return fail(&to->failure, STATUS_WRONG,
                    "step %lld: the loss of image %lld is %.17g where %.17g is right",
                    (long long)q->trainer->state.updates + 1, (long long)image, call.losses[image],
                    e.value);
    return compare(q, "the gradient of the outputs", at, call.d_output[at],
                   q->trainer->settings.loss->expect_d_output(&call, image, value), to);
}

enum status verify_loss(struct trainer *t, const struct verify_extent *how, struct failure *f)
{
    struct verification q = {.trainer = t,
                             .how = how,
                             .count = trainer_images(t) * trainer_loss_call(t).values,
                             .verify = verify_d_output};
    return verify_values(&q, how->drawn, f);
}

/* ---- dropout and clamp -------------------------------------------------------------------------
 */

static enum status verify_gated(const struct verification *q, int64_t at, struct finding *to)
{
    const struct step *s = &q->trainer->forward.plan.steps[q->step];
    const int64_t elements = tensor_elements(s->out);
    double factor = 1.0;
    char what[2 * LAYER_NAME];
    if (s->drop)
        factor = dropout_keeps(s->draws, s->drop, at / elements, at % elements)
                     ? dropout_scale(s->drop)
                     : 0.0;
    if (s->clamp && !(s->to[at] > s->clamp->kind->least &&
                      s->to[at] < s->clamp->kind->most * (float)(factor > 0.0 ? factor : 1.0)))
        factor = 0.0;
    const double value = factor * q->kept->d_output[at];
    snprintf(what, sizeof what, "the gradient of %s's outputs, gated,", s->layer->name);
    return compare(q, what, at, q->trainer->work.reverses[q->step].d_output[at],
                   (struct expectation){value, oracle_bound(1, fabs(value))}, to);
}

static enum status verify_gate(struct trainer *t, int step, const struct kept *k,
                               const struct verify_extent *how, struct failure *f)
{
    const struct step *s = &t->forward.plan.steps[step];
    struct verification q = {.trainer = t,
                             .how = how,
                             .kept = k,
                             .step = step,
                             .count = s->images * tensor_elements(s->out),
                             .verify = verify_gated};
    return q.count > 0 ? verify_values(&q, how->drawn, f) : STATUS_OK;
}

/* ---- parameters --------------------------------------------------------------------------------
 */

/* If shards' gradients are stored separately each of them is verified, otherwise their sum. */
static enum status verify_parameter(const struct verification *q, int64_t at, struct finding *to)
{
    const struct reverse *r = &q->trainer->work.reverses[q->step];
    const struct layer *l = r->step->layer;
    const struct parameter_tensor tensor = layer_parameter(l, q->tensor);
    const int64_t floats = parameter_floats(&tensor), shard = at / floats;
    const bool by_shard = r->gradients.shard_stride > 0;
    const int64_t first = by_shard ? shard_first(r->shards, shard) : 0;
    const int64_t end = by_shard ? r->shards->ends[shard] : trainer_images(q->trainer);
    char name[2 * LAYER_NAME], what[4 * LAYER_NAME];
    parameter_name(l, &tensor, name, sizeof name);
    snprintf(what, sizeof what, "the gradient of %s", name);
    return compare(
        q, what, at % floats,
        r->gradients.values[shard * r->gradients.shard_stride + l->offset[q->tensor] + at % floats],
        l->kind->backward->expect_parameter(r, q->tensor, at % floats, first, end), to);
}

static enum status verify_parameters(struct trainer *t, int step, const struct verify_extent *how,
                                     struct failure *f)
{
    const struct reverse *r = &t->work.reverses[step];
    const struct layer *l = r->step->layer;
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < layer_parameter_count(l); i++) {
        const struct parameter_tensor tensor = layer_parameter(l, i);
        struct verification q = {.trainer = t,
                                 .how = how,
                                 .step = step,
                                 .tensor = i,
                                 .count = parameter_floats(&tensor),
                                 .errors = how->parameters ? &how->parameters[step] : NULL,
                                 .verify = verify_parameter};
        q.count *= r->gradients.shard_stride > 0 ? r->shards->count : 1;
        status = q.count > 0 ? verify_values(&q, DRAWN_SUMS, f) : STATUS_OK;
    }
    return status;
}

/* ---- inputs ------------------------------------------------------------------------------------
 */

static enum status verify_element(const struct verification *q, int64_t at, struct finding *to)
{
    const struct reverse *r = &q->trainer->work.reverses[q->step];
    const struct tensor_shape in = r->step->in;
    const int64_t line = at / in.cols, plane = line / in.rows;
    char what[2 * LAYER_NAME];
    snprintf(what, sizeof what, "the gradient of %s's input", r->step->layer->name);
    return compare(q, what, at, r->d_input[at],
                   r->step->layer->kind->backward->expect_input(
                       r, plane / in.channels, plane % in.channels, line % in.rows, at % in.cols),
                   to);
}

static enum status verify_input(struct trainer *t, int step, const struct verify_extent *how,
                                struct failure *f)
{
    const struct step *s = &t->forward.plan.steps[step];
    struct verification q = {.trainer = t,
                             .how = how,
                             .step = step,
                             .count = s->images * tensor_elements(s->in),
                             .errors = how->inputs ? &how->inputs[step] : NULL,
                             .verify = verify_element};
    return q.count > 0 ? verify_values(&q, how->drawn, f) : STATUS_OK;
}

/* ---- the update --------------------------------------------------------------------------------
 */

static enum status verify_updated(const struct verification *q, int64_t at, struct finding *to)
{
    const struct trainer *t = q->trainer;
    const struct update u = update_piece(&t->work.updating, at, 1);
    struct update_before before = {q->kept->parameters[at], t->work.gradients[at], {0.0f, 0.0f}};
    float found[MOMENTS] = {0.0f, 0.0f};
    for (int i = 0; i < t->settings.optimizer->moments; i++) {
        before.moments[i] = q->kept->moments[i][at];
        found[i] = t->state.moments[i][at];
    }
    const struct update_after after = t->settings.optimizer->expect(&u, &before, found);
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < t->settings.optimizer->moments; i++)
        status = compare(q, "what the optimizer keeps", at, found[i], after.moments[i], to);
    return status == STATUS_OK ? compare(q, "the updated parameter", at, t->state.parameters[at],
                                         after.parameter, to)
                               : status;
}

static enum status verify_update(struct trainer *t, const struct kept *k,
                                 const struct verify_extent *how, struct failure *f)
{
    struct verification q = {.trainer = t,
                             .how = how,
                             .kept = k,
                             .count = t->forward.plan.network->floats,
                             .verify = verify_updated};
    const enum status status = trainer_check_finite(t->forward.plan.network, t->settings.optimizer,
                                                    &t->state, t->state.updates + 1, f);
    return status == STATUS_OK ? verify_values(&q, how->drawn, f) : status;
}

/* ---- parts ------------------------------------------------------------------------------------
 */

enum status verify_part(struct trainer *t, enum trainer_part part, int step, const struct kept *k,
                        const struct verify_extent *how, struct failure *f)
{
    if (part == PART_GATE)
        return verify_gate(t, step, k, how, f);
    if (part == PART_PARAMETERS)
        return verify_parameters(t, step, how, f);
    return part == PART_INPUT ? verify_input(t, step, how, f) : verify_update(t, k, how, f);
}
