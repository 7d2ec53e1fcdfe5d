#include "networks/forward.h"

#include "harness/base/clock.h"
#include "harness/base/digest.h"
#include "harness/machine/memory.h"
#include "networks/bands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND_LINE = 8 }; /* doubles in a cache line, which holds one worker's seconds */
_Static_assert((int)BAND_STEPS <= BAND_LINE, "a worker's seconds lie in its line");

/* ---- memory -----------------------------------------------------------------------------------
 */

int64_t forward_outputs(const struct forward *w)
{
    return w->plan.batch * tensor_elements(network_output(w->plan.network));
}

size_t forward_scratch_bytes(const struct forward *w)
{
    return scratch_bytes(&w->scratch);
}

/* Checks that memory suffices for all outputs together, before any is allocated. */
static enum status check_memory(const struct forward *w, struct failure *f)
{
    const size_t floats = memory_add(w->plan.arena_floats, (size_t)forward_outputs(w));
    return memory_check(memory_multiply(floats, sizeof(float)), "the outputs of all layers", f);
}

static enum status allocate_clocks(struct forward *w, struct failure *f)
{
    const size_t steps = (size_t)w->plan.count, workers = (size_t)w->team.workers;
    w->clocks = calloc(steps, sizeof *w->clocks);
    w->marks = w->traced ? calloc(steps * workers, sizeof *w->marks) : NULL;
    w->band_seconds = calloc(workers * BAND_LINE, sizeof *w->band_seconds);
    for (size_t i = 0; w->clocks && i < steps; i++)
        w->clocks[i].fastest_s = INFINITY;
    return w->clocks && w->band_seconds && (w->marks || !w->traced)
               ? STATUS_OK
               : fail(f, STATUS_RESOURCE, "no memory for the times of %zu steps", steps);
}

static enum status allocate(struct forward *w, struct failure *f)
{
    const size_t arena = memory_multiply(w->plan.arena_floats, sizeof(float));
    const size_t output = (size_t)forward_outputs(w) * sizeof(float);
    enum status status = guarded_allocate(&w->arena_block, arena, "the outputs of layers", f);
    w->arena = w->arena_block.block;
    if (status == STATUS_OK && !w->caller_output)
        status = guarded_allocate(&w->output_block, output, "the outputs", f);
    w->output = w->caller_output ? w->caller_output : w->output_block.block;
    return status == STATUS_OK ? allocate_clocks(w, f) : status;
}

/* Each worker's scratch has its own pages, so that workers share none. */
static enum status allocate_scratch(struct forward *w, struct failure *f)
{
    const size_t needed = w->plan.scratch_bytes;
    scratch_settle(&w->scratch, needed, memory_page(needed), w->team.workers);
    return scratch_allocate(&w->scratch, "the scratch", f);
}

static const float *floats_of(const struct forward *w, int layer)
{
    const int step = plan_step_of(&w->plan, layer);
    return step < 0 ? w->input : w->arena + w->plan.place[step];
}

void forward_connect(struct forward *w)
{
    for (int i = 0; i < w->plan.count; i++) {
        struct step *s = &w->plan.steps[i];
        s->from = floats_of(w, s->input);
        s->residual = s->add ? floats_of(w, s->other) : NULL;
        s->to = w->plan.place[i] < 0 ? w->output : w->arena + w->plan.place[i];
    }
}

/* Plants the guards of a worker's scratch. The last worker, whose part of the arena is its end,
 * also plants those of arena and outputs. */
static void plant_share(int64_t worker, void *context)
{
    struct forward *w = context;
    scratch_plant(&w->scratch, worker);
    if (worker < w->team.workers - 1)
        return;
    guarded_plant(&w->arena_block);
    guarded_plant(&w->output_block);
}

enum status forward_check_guards(struct forward *w, struct failure *f)
{
    const enum status parts[] = {
        guards_check_floats(&w->output_block, "outputs", f),
        guards_check_floats(&w->arena_block, "outputs of layers", f),
        scratch_check(&w->scratch, f),
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < sizeof parts / sizeof *parts; i++)
        status = parts[i];
    return status;
}

enum status forward_open(struct forward *w, struct failure *f)
{
    w->plan.workers = w->team.workers;
    w->arena = w->output = NULL;
    w->arena_block = w->output_block = (struct guarded){0};
    w->scratch = (struct scratch){0};
    w->shares = (struct shares){0};
    w->clocks = NULL;
    w->band_seconds = NULL;
    w->marks = NULL;
    enum status status = plan_make(&w->plan, f);
    if (status == STATUS_OK)
        status = check_memory(w, f);
    if (status == STATUS_OK)
        status = allocate(w, f);
    if (status == STATUS_OK)
        status = plan_prepare(&w->plan, f);
    if (status == STATUS_OK)
        status = allocate_scratch(w, f);
    if (status == STATUS_OK)
        status = shares_open(&w->shares, w->team.workers, f);
    if (status == STATUS_OK) {
        forward_connect(w);
        forward_poison(w);
        w->team.run(w->team.workers, plant_share, w);
    }
    return status;
}

void forward_close(struct forward *w)
{
    plan_release(&w->plan);
    guarded_release(&w->arena_block);
    guarded_release(&w->output_block);
    scratch_release(&w->scratch);
    shares_close(&w->shares);
    free(w->clocks);
    free(w->band_seconds);
    free(w->marks);
}

/* ---- running ----------------------------------------------------------------------------------
 */

static void poison_share(int64_t worker, void *context)
{
    struct forward *w = context;
    const size_t floats = w->plan.arena_floats, workers = (size_t)w->team.workers;
    const size_t first = floats / workers * (size_t)worker;
    const size_t end = worker + 1 == w->team.workers ? floats : first + floats / workers;
    memset(w->arena + first, 0xff, (end - first) * sizeof(float));
}

void forward_poison(struct forward *w)
{
    w->team.run(w->team.workers, poison_share, w);
    memset(w->output, 0xff, (size_t)forward_outputs(w) * sizeof(float));
}

struct turn {
    struct forward *forward;
    int step;
    struct mark *marks; /* one per worker; NULL: none wanted */
    bool timed;         /* for bands: time each step's parts */
};

/* A worker's seconds, on a cache line that no other worker writes. */
static double *band_seconds(const struct forward *w, int64_t worker)
{
    return w->band_seconds + worker * BAND_LINE;
}

/* Runs the pieces of a step that a worker takes; `seconds` as of bands_run_pieces(). */
static void run_pieces(const struct forward *w, int step, const struct shares *shares,
                       int64_t worker, double *seconds)
{
    const struct step *s = &w->plan.steps[step];
    void *scratch = scratch_part(&w->scratch, worker);
    if (s->bands == 0)
        step_run_pieces(s, shares, worker, scratch);
    else if (s->bands > 0)
        bands_run_pieces(s, shares, worker, scratch, seconds);
}

void forward_run_share(const struct forward *w, int step, int64_t worker)
{
    const struct shares own = {.workers = w->plan.steps[step].workers, .pieces = 1};
    run_pieces(w, step, &own, worker, NULL);
}

/* Marks the parts of steps computed in bands as if each step began after all of the step before
 * it. */
static void mark_bands(const struct turn *t, int64_t worker, struct mark whole)
{
    const double *seconds = band_seconds(t->forward, worker);
    const int64_t workers = t->forward->team.workers;
    for (int k = 0; k < BAND_STEPS; k++) {
        const double end = k + 1 < BAND_STEPS ? whole.begin + seconds[k] : whole.end;
        t->marks[k * workers + worker] = (struct mark){whole.begin, end};
        whole.begin = end;
    }
}

static void run_worker(int64_t worker, void *context)
{
    const struct turn *t = context;
    const struct forward *w = t->forward;
    const bool bands = w->plan.steps[t->step].bands > 0;
    double *seconds = bands && t->timed ? band_seconds(w, worker) : NULL;
    struct mark mark = {.begin = t->marks ? clock_now() : 0.0};
    run_pieces(w, t->step, &w->shares, worker, seconds);
    mark.end = t->marks ? clock_now() : 0.0;
    if (t->marks && bands)
        mark_bands(t, worker, mark);
    else if (t->marks)
        t->marks[worker] = mark;
}

/* A worker that is late for a step leaves no time of it: none of an earlier run may stay. */
static void forget_times(const struct turn *t)
{
    const struct forward *w = t->forward;
    const bool bands = w->plan.steps[t->step].bands > 0;
    const int steps = bands ? BAND_STEPS : 1;
    if (t->marks)
        memset(t->marks, 0, (size_t)(steps * w->team.workers) * sizeof *t->marks);
    for (int64_t worker = 0; bands && t->timed && worker < w->team.workers; worker++)
        memset(band_seconds(w, worker), 0, BAND_STEPS * sizeof(double));
}

/* The whole team runs a step, or the bands that begin with it. */
static void run_in_pieces(struct forward *w, struct turn *t)
{
    const struct step *s = &w->plan.steps[t->step];
    forget_times(t);
    shares_begin(&w->shares, s->workers, s->bands > 0 ? bands_pieces(s) : step_pieces(s));
    team_take(w->team, run_worker, t);
}

static void run_step(struct forward *w, int step)
{
    struct turn t = {.forward = w,
                     .step = step,
                     .marks = w->marks ? w->marks + step * w->team.workers : NULL,
                     .timed = w->clocked || w->marks};
    run_in_pieces(w, &t);
}

void forward_add_time(struct forward *w, int step, double seconds)
{
    struct step_clock *clock = &w->clocks[step];
    clock->executions++;
    clock->sum_s += seconds;
    clock->fastest_s = fmin(clock->fastest_s, seconds);
}

/* Divides `seconds` among the steps of bands in proportion to the time that workers took for each
 * step's parts, so that the steps add up to `seconds`. */
static void add_time_of_bands(struct forward *w, int step, double seconds)
{
    double parts[BAND_STEPS] = {0.0}, all = 0.0;
    for (int64_t worker = 0; worker < w->team.workers; worker++)
        for (int k = 0; k < BAND_STEPS; k++) {
            parts[k] += band_seconds(w, worker)[k];
            all += band_seconds(w, worker)[k];
        }
    for (int k = 0; k < BAND_STEPS; k++)
        forward_add_time(w, step + k,
                         all > 0.0 ? seconds * (parts[k] / all) : seconds / BAND_STEPS);
}

static void run_steps(void *context)
{
    struct forward *w = context;
    for (int i = 0; i < w->plan.count; i = bands_last(&w->plan, i) + 1) {
        const double start = w->clocked ? clock_now() : 0.0;
        run_step(w, i);
        const double seconds = w->clocked ? clock_now() - start : 0.0;
        if (w->clocked && w->plan.steps[i].bands > 0)
            add_time_of_bands(w, i, seconds);
        else if (w->clocked)
            forward_add_time(w, i, seconds);
    }
}

void forward_run(struct forward *w)
{
    team_hold(w->team, run_steps, w);
}

/* ---- verification -----------------------------------------------------------------------------
 */

struct trial {
    struct forward *forward;
    const struct verify_extent *how;
    struct verified_step verified;
    struct failure *failures;    /* one per worker */
    struct error_tally *tallies; /* one per worker */
};

static void verify_worker(int64_t worker, void *context)
{
    const struct trial *t = context;
    t->tallies[worker] = error_tally_exact(0);
    verify_share(&t->verified, t->how, worker, t->forward->team.workers, &t->tallies[worker],
                 &t->failures[worker]);
}

static enum status verify_step(struct trial *t, int step, struct failure *f)
{
    struct forward *w = t->forward;
    const struct step *s = &w->plan.steps[step];
    t->verified = (struct verified_step){s, w->plan.parameters, s->from, s->residual, s->to};
    w->team.run(w->team.workers, verify_worker, t);
    for (int64_t i = 0; i < w->team.workers; i++)
        if (t->failures[i].status != STATUS_OK)
            return fail(f, t->failures[i].status, "%s", t->failures[i].message);
    for (int64_t i = 0; t->how->errors && i < w->team.workers; i++)
        error_tally_join(&t->how->errors[step], &t->tallies[i]);
    return STATUS_OK;
}

static void run_alone(int64_t worker, void *context)
{
    const struct turn *t = context;
    step_run_share(&t->forward->plan.steps[t->step], worker,
                   scratch_part(&t->forward->scratch, worker));
}

static uint64_t hash_of(const struct step *s)
{
    return digest_range(s->to, 0, s->images * tensor_elements(s->out));
}

/* Runs one step alone, so that it can be verified. If bands begin with it, runs the bands first:
 * *hash becomes the digest of their outputs, which are then overwritten. */
static enum status run_for_oracle(struct forward *w, int step, uint64_t *hash, struct failure *f)
{
    const struct step *s = &w->plan.steps[step];
    struct turn t = {.forward = w, .step = step};
    if (w->device_step)
        return w->device_step(w, step, f);
    if (s->bands > 0) {
        const struct step *last = &w->plan.steps[bands_last(&w->plan, step)];
        run_in_pieces(w, &t); /* marks stay those of the last run */
        *hash = hash_of(last);
        memset(last->to, 0xff, (size_t)(last->images * tensor_elements(last->out)) * sizeof(float));
    }
    w->team.run(w->team.workers, run_alone, &t);
    return STATUS_OK;
}

/* Compares the digest of the run in bands with that of the steps one by one, after the last of
 * these steps has been verified. */
static enum status compare_bands(const struct forward *w, int step, uint64_t hash,
                                 struct failure *f)
{
    const struct step *s = &w->plan.steps[step];
    if (w->device_step || s->bands >= 0 || bands_last(&w->plan, step) != step || hash_of(s) == hash)
        return STATUS_OK;
    return fail(f, STATUS_WRONG,
                "layer %s (%s) is wrong: computed in bands with the layers before it, its outputs "
                "are not those of the layers one by one",
                s->layer->name, s->layer->kind->name);
}

enum status forward_verify(struct forward *w, const struct verify_extent *how, struct failure *f)
{
    struct trial t = {.forward = w, .how = how};
    enum status status = STATUS_OK;
    uint64_t hash = 0;
    t.failures = calloc((size_t)w->team.workers, sizeof *t.failures);
    t.tallies = calloc((size_t)w->team.workers, sizeof *t.tallies);
    if (!t.failures || !t.tallies)
        status = fail(f, STATUS_RESOURCE, "no memory for the verification");
    else
        forward_poison(w);
    for (int i = 0; status == STATUS_OK && i < w->plan.count; i++) {
        status = run_for_oracle(w, i, &hash, f);
        if (status == STATUS_OK)
            status = verify_step(&t, i, f);
        if (status == STATUS_OK)
            status = compare_bands(w, i, hash, f);
    }
    free(t.failures);
    free(t.tallies);
    return status;
}
