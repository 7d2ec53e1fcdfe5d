#include "networks/forward.h"

#include "harness/base/clock.h"
#include "harness/machine/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory -----------------------------------------------------------------------------------
 */

int64_t forward_outputs(const struct forward *w)
{
    return w->plan.batch * tensor_cells(network_output(w->plan.network));
}

size_t forward_scratch_bytes(const struct forward *w)
{
    return scratch_bytes(&w->scratch);
}

/* All outputs at once, before the first is asked for. */
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
    for (size_t i = 0; w->clocks && i < steps; i++)
        w->clocks[i].fastest_s = INFINITY;
    return w->clocks && (w->marks || !w->traced)
               ? STATUS_OK
               : fail(f, STATUS_RESOURCE, "no memory for the times of %zu steps", steps);
}

static enum status allocate(struct forward *w, struct failure *f)
{
    const size_t arena = memory_multiply(w->plan.arena_floats, sizeof(float));
    const size_t output = (size_t)forward_outputs(w) * sizeof(float);
    enum status status = guarded_allocate(&w->arena_block, arena, "the outputs of layers", f);
    w->arena = w->arena_block.block;
    if (status == STATUS_OK && !w->landing)
        status = guarded_allocate(&w->output_block, output, "the outputs", f);
    w->output = w->landing ? w->landing : w->output_block.block;
    return status == STATUS_OK ? allocate_clocks(w, f) : status;
}

/* In pages of their own, so that workers do not share any. */
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
        s->beside = s->add ? floats_of(w, s->other) : NULL;
        s->to = w->plan.place[i] < 0 ? w->output : w->arena + w->plan.place[i];
    }
}

/* A worker's own scratch; the last, whose part of the arena is its end, plants the rest. */
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
    w->clocks = NULL;
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
    free(w->clocks);
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
    const struct step *step;
    struct mark *marks; /* of each worker; NULL: none is wanted */
};

static void run_share(int64_t worker, void *context)
{
    const struct turn *t = context;
    if (t->marks)
        t->marks[worker].begin = clock_now();
    step_run_share(t->step, worker, scratch_part(&t->forward->scratch, worker));
    if (t->marks)
        t->marks[worker].end = clock_now();
}

static void run_step(struct forward *w, int step, struct mark *marks)
{
    struct turn t = {w, &w->plan.steps[step], marks};
    w->team.run(w->team.workers, run_share, &t);
}

void forward_add_time(struct forward *w, int step, double seconds)
{
    struct step_clock *clock = &w->clocks[step];
    clock->executions++;
    clock->sum_s += seconds;
    clock->fastest_s = fmin(clock->fastest_s, seconds);
}

void forward_run(struct forward *w)
{
    for (int i = 0; i < w->plan.count; i++) {
        const double start = w->clocked ? clock_now() : 0.0;
        run_step(w, i, w->marks ? w->marks + i * w->team.workers : NULL);
        if (w->clocked)
            forward_add_time(w, i, clock_now() - start);
    }
}

/* ---- judging ----------------------------------------------------------------------------------
 */

struct trial {
    struct forward *forward;
    const struct verify_extent *how;
    struct verified_step verified;
    struct failure *failures;    /* of each worker */
    struct error_tally *tallies; /* likewise */
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
    t->verified = (struct verified_step){s, w->plan.parameters, s->from, s->beside, s->to};
    w->team.run(w->team.workers, verify_worker, t);
    for (int64_t i = 0; i < w->team.workers; i++)
        if (t->failures[i].status != STATUS_OK)
            return fail(f, t->failures[i].status, "%s", t->failures[i].message);
    for (int64_t i = 0; t->how->errors && i < w->team.workers; i++)
        error_tally_join(&t->how->errors[step], &t->tallies[i]);
    return STATUS_OK;
}

enum status forward_verify(struct forward *w, const struct verify_extent *how, struct failure *f)
{
    struct trial t = {.forward = w, .how = how};
    enum status status = STATUS_OK;
    t.failures = calloc((size_t)w->team.workers, sizeof *t.failures);
    t.tallies = calloc((size_t)w->team.workers, sizeof *t.tallies);
    if (!t.failures || !t.tallies)
        status = fail(f, STATUS_RESOURCE, "no memory for the verification");
    else
        forward_poison(w);
    for (int i = 0; status == STATUS_OK && i < w->plan.count; i++) {
        if (w->device_step)
            status = w->device_step(w, i, f);
        else
            run_step(w, i, NULL);
        if (status == STATUS_OK)
            status = verify_step(&t, i, f);
    }
    free(t.failures);
    free(t.tallies);
    return status;
}
