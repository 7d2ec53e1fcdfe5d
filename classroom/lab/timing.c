#include "classroom/lab/timing.h"

#include "classroom/lab/checks.h"
#include "classroom/lab/hand_over.h"
#include "harness/base/clock.h"
#include "harness/point/sampling/rounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PROBES = 3, LEAST = 6 /* fewest rounds for an interval */ };

/* ---- candidates ------------------------------------------------------------------------------ */

static enum status add(struct lab_timing *timing, const char *name, const char *idea,
                       const struct lab_start *how, bool trusted, const char *source,
                       struct failure *f)
{
    if (timing->count == LAB_CANDIDATES)
        return fail(f, STATUS_USAGE, "at most %d methods are compared", LAB_CANDIDATES - 1);
    struct lab_candidate *r = &timing->candidates[timing->count++];
    *r = (struct lab_candidate){.idea = idea,
                                .runner = {.threads = how->threads,
                                           .planar = !trusted,
                                           .device = how->device && !trusted,
                                           .trusted = trusted,
                                           .source = source,
                                           .library = source ? how->what : NULL}};
    snprintf(r->name, sizeof r->name, "%s", name);
    return lab_runner_start(&r->runner, how, &timing->arrays, f);
}

static enum status add_method(struct lab_timing *timing, const struct lab_timing_plan *plan,
                              const char *name, struct failure *f)
{
    const struct method *m = operator_method(timing->input.operation.kind, SPACE_HOST, name);
    struct lab_start how = plan->kernel;
    how.program = plan->program;
    how.what = name;
    how.preload = NULL;
    how.script = NULL;
    how.foreign = false;
    how.device = false;
    how.limits.memory = 0;
    how.limits.seconds = 600.0;
    if (plan->thread_count > 0)
        how.threads = 1; /* in a sweep of threads, a method shows the times of one worker */
    const enum status status = add(timing, name, m ? m->idea : NULL, &how, true, NULL, f);
    struct lab_candidate *added = &timing->candidates[timing->count - 1];
    added->runner.prepared = !m;
    if (m)
        added->rung = (struct lab_rung){.vectors = m->vectors, .staged = m->staged, .seconds = NAN};
    return status;
}

static enum status add_kernels(struct lab_timing *timing, const struct lab_timing_plan *plan,
                               struct failure *f)
{
    struct lab_start how = plan->kernel;
    const size_t count = plan->thread_count > 0 ? plan->thread_count : 1;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        if (plan->thread_count > 0)
            how.threads = plan->threads[i];
        status = add(timing, plan->name, NULL, &how, false, plan->source, f);
    }
    timing->kernels = timing->count;
    return status;
}

/* Adds the methods that --against names. */
static enum status add_named(struct lab_timing *timing, const struct lab_timing_plan *plan,
                             struct failure *f)
{
    char names[512];
    enum status status = STATUS_OK;
    snprintf(names, sizeof names, "%s", plan->against);
    for (char *rest = NULL, *name = strtok_r(names, ",", &rest); name && status == STATUS_OK;
         name = strtok_r(NULL, ",", &rest))
        status = add_method(timing, plan, name, f);
    return status;
}

/* Adds the steps of the ladder that can compute this operation. */
static enum status add_ladder(struct lab_timing *timing, const struct lab_timing_plan *plan,
                              struct failure *f)
{
    struct operation op = timing->input.operation;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && op.kind->method(i); i++) {
        op.method = op.kind->method(i);
        if (op.method->kind == SPACE_HOST && !op.method->unavailable &&
            !method_refuses(op.method, &op) && timing->count < LAB_CANDIDATES)
            status = add_method(timing, plan, op.method->name, f);
    }
    return status;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Takes one sample. A wrong method of ours is a failure of the suite. */
static enum status sample(struct lab_timing *timing, size_t which, bool every_output, bool exact,
                          struct failure *f)
{
    struct lab_candidate *r = &timing->candidates[which];
    const struct lab_trial_options options = {.seed = lab_fresh_seed(),
                                              .max_value = lab_wide_integers,
                                              .every_output = every_output,
                                              .exact = exact};
    const enum status status =
        lab_try(&r->runner, &timing->input, &timing->arrays, &options, &r->last, f);
    if (status != STATUS_OK || r->last.verdict == LAB_CORRECT || !r->runner.trusted)
        return status;
    if (r->runner.worker.end == LAB_EXITED && r->runner.worker.code == STATUS_UNAVAILABLE)
        return fail(f, STATUS_UNAVAILABLE, "--against %s", r->runner.worker.text);
    return fail(f, STATUS_WRONG, "our method %s: %s %s", r->name, r->last.cause,
                r->runner.worker.text);
}

const struct lab_candidate *lab_timing_kernel(const struct lab_timing *timing)
{
    for (size_t i = 1; i < timing->kernels; i++)
        if (timing->candidates[i].last.verdict != LAB_CORRECT)
            return &timing->candidates[i];
    return &timing->candidates[0];
}

static bool kernel_failed(const struct lab_timing *timing)
{
    return lab_timing_kernel(timing)->last.verdict != LAB_CORRECT;
}

/* Takes some untimed samples of each candidate and verifies the first one completely, unless that
 * is known of a method; least[i]: the shortest of the later ones. */
static enum status probe(struct lab_timing *timing, const struct lab_timing_plan *plan,
                         double least[LAB_CANDIDATES], struct failure *f)
{
    const int probes = plan->repeated ? 1 : PROBES;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < timing->count; i++) {
        const bool known = plan->repeated && i >= timing->kernels;
        least[i] = INFINITY;
        for (int j = 0; status == STATUS_OK && j < probes && !kernel_failed(timing); j++) {
            status = sample(timing, i, j == 0 && !known, j == 0, f);
            least[i] = j > 0 ? fmin(least[i], timing->candidates[i].last.seconds) : least[i];
        }
    }
    return status;
}

/* Notes which methods' ideas the kernel follows already. */
static void note_followed(struct lab_timing *timing, const struct lab_timing_plan *plan,
                          const double least[LAB_CANDIDATES])
{
    struct lab_rung rungs[LAB_CANDIDATES];
    for (size_t i = timing->kernels; i < timing->count; i++) {
        struct lab_candidate *r = &timing->candidates[i];
        r->rung.seconds = least[i];
        rungs[i - timing->kernels] = r->rung;
        r->followed = r->rung.staged ||
                      lab_rung_is_followed(rungs, i - timing->kernels, &plan->habits, least[0]);
    }
}

static void drop(struct lab_timing *timing, size_t which)
{
    lab_worker_end(&timing->candidates[which].runner.worker);
    timing->count--;
    memmove(&timing->candidates[which], &timing->candidates[which + 1],
            (timing->count - which) * sizeof *timing->candidates);
}

/* Keeps of the ladder its first step, the slowest step that is faster than the kernel and that it
 * does not follow already, and the fastest. */
static void choose(struct lab_timing *timing, const double least[LAB_CANDIDATES])
{
    size_t next = 0, best = 0, kept = 0, which[3];
    for (size_t i = timing->kernels; i < timing->count; i++) {
        if (best == 0 || least[i] < least[best])
            best = i;
        if (least[i] < least[0] && !timing->candidates[i].followed &&
            (next == 0 || least[i] > least[next]))
            next = i;
    }
    const size_t wanted[] = {timing->kernels, next, best};
    for (size_t i = 0; i < 3; i++)
        if (wanted[i] > 0 && wanted[i] < timing->count &&
            (kept == 0 || wanted[i] > which[kept - 1]))
            which[kept++] = wanted[i];
    for (size_t i = timing->count; i-- > timing->kernels;) {
        bool stays = false;
        for (size_t j = 0; j < kept; j++)
            stays = stays || which[j] == i;
        if (!stays)
            drop(timing, i);
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void summarise_all(struct lab_timing *timing, double *workspace)
{
    const double *kernel = timing->candidates[0].seconds;
    for (size_t i = 0; i < timing->count; i++) {
        struct lab_candidate *r = &timing->candidates[i];
        memcpy(workspace, r->seconds, timing->rounds * sizeof *workspace);
        r->time = summarise(workspace, timing->rounds);
        for (size_t j = 0; j < timing->rounds; j++)
            workspace[j] = r->seconds[j] / kernel[j];
        r->ratio = summarise(workspace, timing->rounds);
    }
}

static bool is_enough(struct lab_timing *timing, const struct lab_timing_plan *plan,
                      double *workspace)
{
    if (!rounds_check_is_due(timing->rounds))
        return false;
    summarise_all(timing, workspace);
    if (plan->enough)
        return plan->enough(timing, plan->context);
    for (size_t i = 0; i < timing->count; i++)
        if (summary_relative_half_width(&timing->candidates[i].time) > plan->relative_ci)
            return false;
    return true;
}

static enum status one_round(struct lab_timing *timing, struct failure *f)
{
    size_t order[LAB_CANDIDATES];
    double own_echo_s = 0.0;
    enum status status = STATUS_OK;
    rounds_order(timing->seed, timing->rounds, order, timing->count);
    for (size_t i = 0; status == STATUS_OK && i < timing->count && !kernel_failed(timing); i++) {
        struct lab_candidate *r = &timing->candidates[order[i]];
        /* nobody knows which samples have which values */
        status = sample(timing, order[i], order[i] < timing->kernels, lab_fresh_seed() & 1, f);
        r->began[timing->rounds] = r->last.began;
        r->seconds[timing->rounds] = r->last.seconds;
        r->product_s[timing->rounds] = r->last.product_s;
        if (order[i] == 0)
            timing->echoes[timing->rounds] = r->last.echo_s;
        else if (r->runner.trusted)
            own_echo_s = fmax(own_echo_s, r->last.echo_s);
    }
    timing->own_echoes[timing->rounds] = own_echo_s;
    return status;
}

static enum status allocate(struct lab_timing *timing, int64_t rounds, struct failure *f)
{
    bool good = true;
    for (size_t i = 0; i < timing->count; i++) {
        timing->candidates[i].began = calloc((size_t)rounds, sizeof(double));
        timing->candidates[i].seconds = calloc((size_t)rounds, sizeof(double));
        timing->candidates[i].product_s = calloc((size_t)rounds, sizeof(double));
        good = good && timing->candidates[i].began && timing->candidates[i].seconds &&
               timing->candidates[i].product_s;
    }
    timing->echoes = calloc((size_t)rounds, sizeof(double));
    timing->own_echoes = calloc((size_t)rounds, sizeof(double));
    return good && timing->echoes && timing->own_echoes
               ? STATUS_OK
               : fail(f, STATUS_RESOURCE, "no memory for the samples");
}

/* A kernel has no part in an empty order. */
static void check_hand_over(struct lab_timing *timing)
{
    struct lab_trial *kernel = &timing->candidates[0].last;
    double shortest, usual;
    if (!lab_hand_over_is_used(timing->echoes, timing->own_echoes, timing->rounds, &shortest,
                               &usual))
        return;
    kernel->verdict = LAB_HAND_OVER;
    snprintf(kernel->cause, sizeof kernel->cause,
             "handing an empty order over took at least %.3g s, and %.3g s to our methods",
             shortest, usual);
}

static enum status run_rounds(struct lab_timing *timing, const struct lab_timing_plan *plan,
                              struct failure *f)
{
    const double end = clock_now() + plan->seconds;
    double *workspace = calloc((size_t)plan->rounds, sizeof *workspace);
    enum status status = workspace ? allocate(timing, plan->rounds, f)
                                   : fail(f, STATUS_RESOURCE, "no memory for samples");
    timing->stop_reason = NULL;
    while (status == STATUS_OK && !timing->stop_reason) {
        status = one_round(timing, f);
        if (kernel_failed(timing))
            timing->stop_reason = "wrong";
        else
            timing->rounds++;
        if (timing->stop_reason || status != STATUS_OK)
            break;
        if (timing->rounds >= (size_t)plan->rounds)
            timing->stop_reason = "samples";
        else if (timing->rounds >= LEAST && clock_now() > end)
            timing->stop_reason = "seconds";
        else if (is_enough(timing, plan, workspace))
            timing->stop_reason = "relative_ci";
    }
    if (status == STATUS_OK) {
        summarise_all(timing, workspace);
        memcpy(workspace, timing->echoes, timing->rounds * sizeof *workspace);
        timing->echo_s = median_of(workspace, timing->rounds);
        if (!kernel_failed(timing))
            check_hand_over(timing);
    }
    free(workspace);
    return status;
}

/* ---- the whole timing ------------------------------------------------------------------------ */

/* Returns the method of ours with the least median over odd (1) or even (0) rounds; 0: there is
 * none. */
static size_t best_of_half(const struct lab_timing *timing, size_t half, double *workspace)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = timing->kernels; i < timing->count; i++) {
        size_t n = 0;
        for (size_t j = half; j < timing->rounds; j += 2)
            workspace[n++] = timing->candidates[i].seconds[j];
        const double median = median_of(workspace, n);
        if (median < least) {
            best = i;
            least = median;
        }
    }
    return best;
}

/* Summarises a series in which each half of the rounds selected the method for the other half. Its
 * values scatter less than those of as many independent rounds; therefore the interval is that of
 * 97.5 % (experiments/analysis/best/choice.h). */
static struct summary summarise_crossed(double *values, size_t count)
{
    struct summary s = summarise(values, count); /* sorts `values` */
    size_t lower, upper;
    if (median_interval_ranks(count, 0.975, &lower, &upper) == 0) {
        s.lower = values[lower - 1];
        s.upper = values[upper - 1];
    }
    return s;
}

/* The method that is best in all rounds is also the luckiest in them. Therefore odd rounds select
 * for even ones, and even rounds for odd ones. If both select the same method, its own times are
 * used. */
static void time_best(struct lab_timing *timing, double *workspace)
{
    const double *kernel = timing->candidates[0].seconds;
    const size_t timed[] = {best_of_half(timing, 1, workspace), best_of_half(timing, 0, workspace)};
    if (timed[0] == timed[1])
        timing->best = timed[0];
    timing->best_time = timing->candidates[timing->best].time;
    timing->best_ratio = timing->candidates[timing->best].ratio;
    if (timed[0] == timed[1])
        return;
    for (size_t j = 0; j < timing->rounds; j++)
        workspace[j] = timing->candidates[timed[j & 1]].seconds[j];
    timing->best_time = summarise_crossed(workspace, timing->rounds);
    for (size_t j = 0; j < timing->rounds; j++)
        workspace[j] = timing->candidates[timed[j & 1]].seconds[j] / kernel[j];
    timing->best_ratio = summarise_crossed(workspace, timing->rounds);
}

/* Determines which candidates are the first step, the next step and the best. */
static enum status name_steps(struct lab_timing *timing, struct failure *f)
{
    const struct lab_candidate *r = timing->candidates;
    double *workspace = calloc(timing->rounds + 1, sizeof *workspace);
    if (!workspace)
        return fail(f, STATUS_RESOURCE, "no memory for samples");
    timing->literal = timing->count > timing->kernels ? timing->kernels : 0;
    for (size_t i = timing->kernels; i < timing->count; i++) {
        if (timing->best == 0 || r[i].time.median < r[timing->best].time.median)
            timing->best = i;
        if (r[i].ratio.upper < 1.0 && !r[i].followed &&
            (timing->next == 0 || r[i].time.median > r[timing->next].time.median))
            timing->next = i;
    }
    if (timing->rounds >= LEAST)
        time_best(timing, workspace);
    else {
        timing->best_time = r[timing->best].time;
        timing->best_ratio = r[timing->best].ratio;
    }
    free(workspace);
    return STATUS_OK;
}

/* Rounds of a small image end before processor time, which the system counts in ticks, tells
 * anything: the look at other programs then goes on for a while. */
static void look_long_enough(const struct load_reading *before)
{
    static const double least_s = 0.5;
    const double left_s = before->at_s + least_s - clock_now();
    const struct timespec pause = {0, (long)(1e9 * fmax(left_s, 0.0))};
    nanosleep(&pause, NULL);
}

/* Probes, chooses and runs the rounds; the load is that of all this time. */
static enum status measure(struct lab_timing *timing, const struct lab_timing_plan *plan,
                           struct failure *f)
{
    static struct load_reading before, after; /* large */
    double least[LAB_CANDIDATES];
    other_load_read(&before, "", LOAD_OF_FAMILY);
    enum status status = probe(timing, plan, least, f);
    if (status == STATUS_OK && !plan->against) {
        note_followed(timing, plan, least);
        choose(timing, least);
    }
    if (status == STATUS_OK && !kernel_failed(timing))
        status = run_rounds(timing, plan, f);
    look_long_enough(&before);
    other_load_read(&after, "", LOAD_OF_FAMILY);
    timing->load = other_load_between(&before, &after);
    return status;
}

enum status lab_timing_run(struct lab_timing *timing, const struct lab_timing_plan *plan,
                           struct failure *f)
{
    size_t bytes[LAB_ARRAYS];
    *timing = (struct lab_timing){.seed = plan->seed, .arrays = {.descriptor = {-1, -1, -1}}};
    enum status status = lab_input_open(&timing->input, plan->kind, &plan->size, plan->seed, f);
    lab_input_bytes(&timing->input, bytes);
    if (status == STATUS_OK)
        status = lab_arrays_open(&timing->arrays, bytes, f);
    if (status == STATUS_OK)
        status = add_kernels(timing, plan, f);
    if (status == STATUS_OK)
        status = plan->against ? add_named(timing, plan, f) : add_ladder(timing, plan, f);
    if (status == STATUS_OK)
        status = measure(timing, plan, f);
    if (status == STATUS_OK && !kernel_failed(timing))
        status = name_steps(timing, f);
    return status;
}

void lab_timing_close(struct lab_timing *timing)
{
    for (size_t i = 0; i < timing->count; i++)
        lab_worker_end(&timing->candidates[i].runner.worker);
    lab_arrays_close(&timing->arrays);
}

void lab_timing_release(struct lab_timing *timing)
{
    lab_timing_close(timing);
    lab_input_close(&timing->input);
    for (size_t i = 0; i < timing->count; i++) {
        free(timing->candidates[i].began);
        free(timing->candidates[i].seconds);
        free(timing->candidates[i].product_s);
    }
    free(timing->echoes);
    free(timing->own_echoes);
}
