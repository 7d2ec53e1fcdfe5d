#include "networks/point/peer_run.h"

#include "harness/base/clock.h"
#include "harness/machine/memory.h"
#include "harness/space/peer.h"

#include <stdlib.h>

/* ---- the layers -------------------------------------------------------------------------------
 */

struct peer_run {
    const struct network_peer *peer;
    struct peer_state *state;
    struct peer_layer *layers; /* one per step */
    float **folded;            /* weights of each step; freed once the peer has them */
    int count;
};

/* Gets the step's weights and biases for the library, with the batch norm folded in. */
static enum status take_parameters(struct peer_run *r, const struct plan *p, int step,
                                   struct failure *f)
{
    struct step *s = &p->steps[step];
    struct step_weights w = {0};
    const enum status status =
        s->layer->kind->weights ? s->layer->kind->weights(s, p, &w, f) : STATUS_OK;
    r->folded[step] = w.own;
    r->layers[step].weights = w.weights;
    r->layers[step].bias = w.bias;
    return status;
}

static enum status describe(struct peer_run *r, const struct plan *p, int step, struct failure *f)
{
    const struct step *s = &p->steps[step];
    const struct layer *l = s->layer;
    if (!r->peer->computes(l->kind->form))
        return fail(f, STATUS_UNAVAILABLE, "layer %s: a step of %s is none of the library's",
                    l->name, l->kind->name);
    r->layers[step] =
        (struct peer_layer){.form = l->kind->form,
                            .from = plan_step_of(p, s->input),
                            .residual_from = s->add ? plan_step_of(p, s->other) : PEER_NOTHING,
                            .images = p->batch,
                            .channels = s->in.channels,
                            .rows = s->in.rows,
                            .cols = s->in.cols,
                            .filters = s->out.channels,
                            .out_rows = s->out.rows,
                            .out_cols = s->out.cols,
                            .kernel = l->kernel,
                            .stride = l->stride,
                            .padding = l->padding,
                            .groups = l->groups,
                            .clamped = s->clamp != NULL,
                            .least = s->clamp ? s->clamp->kind->least : 0.0f,
                            .most = s->clamp ? s->clamp->kind->most : 0.0f};
    return take_parameters(r, p, step, f);
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static void free_folded(struct peer_run *r)
{
    for (int i = 0; r->folded && i < r->count; i++)
        free(r->folded[i]);
    free(r->folded);
    r->folded = NULL;
}

/* Runs one step, and copies its output to its place in the plan: forward.device_step. */
static enum status run_step(struct forward *w, int step, struct failure *f)
{
    const struct peer_run *r = w->device_context;
    const enum status status = r->peer->execute(r->state, step, f);
    return status == STATUS_OK ? r->peer->fetch(r->state, step, w->plan.steps[step].to, f) : status;
}

static enum status prepare(struct peer_run *r, struct forward *w, int64_t threads, const char **isa,
                           struct failure *f)
{
    const size_t steps = (size_t)w->plan.count;
    r->layers = calloc(steps, sizeof *r->layers);
    r->folded = calloc(steps, sizeof *r->folded);
    r->count = w->plan.count;
    if (!r->layers || !r->folded)
        return fail(f, STATUS_RESOURCE, "no memory for %zu layers", steps);
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < r->count; i++)
        status = describe(r, &w->plan, i, f);
    const struct network_peer_job job = {.layers = r->layers,
                                         .count = r->count,
                                         .images = (float *)w->input,
                                         .outputs = w->output,
                                         .threads = threads};
    if (status == STATUS_OK)
        status = peer_state_make(&r->state, r->peer->state_bytes, f);
    if (status == STATUS_OK)
        status = r->peer->prepare(&job, r->state, isa, f);
    free_folded(r);
    for (int i = 0; status == STATUS_OK && i < r->count; i++)
        w->plan.steps[i].method = r->peer->name(r->state, i);
    return status;
}

enum status peer_run_open(struct peer_run **out, struct forward *w, const struct network_peer *peer,
                          int64_t threads, const char **isa, struct failure *f)
{
    struct peer_run *r = *out = calloc(1, sizeof *r);
    w->team = (struct team){.workers = 1, .run = team_alone};
    w->plan.external = true;
    w->device_step = run_step;
    w->device_context = r;
    if (!r)
        return fail(f, STATUS_RESOURCE, "no memory for a library");
    r->peer = peer;
    const enum status status = forward_open(w, f);
    return status == STATUS_OK ? prepare(r, w, threads, isa, f) : status;
}

void peer_run_close(struct peer_run *r)
{
    if (!r)
        return;
    free_folded(r);
    peer_state_end(r->state, r->peer->release);
    free(r->layers);
    free(r);
}

/* ---- running ----------------------------------------------------------------------------------
 */

enum status peer_run_batch(struct peer_run *r, struct forward *w, struct failure *f)
{
    enum status status = STATUS_OK;
    const bool clocked = w->clocked || w->marks;
    for (int i = 0; status == STATUS_OK && i < r->count; i++) {
        const double begin = clocked ? clock_now() : 0.0;
        status = r->peer->execute(r->state, i, f);
        const double end = clocked ? clock_now() : 0.0;
        if (w->clocked)
            forward_add_time(w, i, end - begin);
        if (w->marks)
            w->marks[i] = (struct mark){begin, end};
    }
    return status;
}

void peer_run_poison(const struct peer_run *r)
{
    r->peer->poison(r->state);
}
