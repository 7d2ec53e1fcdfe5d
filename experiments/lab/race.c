#include "experiments/lab/race.h"

#include "experiments/lab/checks.h"
#include "harness/base/clock.h"
#include "harness/base/digest.h"
#include "harness/point/sampling/interleaving.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of 24 bits: no narrower format holds them. */
static const int64_t wide_integers = (1 << 24) - 1;

enum { PROBES = 3, FIRST_LOOK = 10, LEAST = 6 /* rounds: an interval needs so many */ };

/* ---- who takes part ---------------------------------------------------------------------------
 */

static enum status add(struct lab_race *race, const char *name, const char *idea,
                       const struct lab_start *how, bool trusted, const char *source,
                       struct failure *f)
{
    if (race->count == LAB_RUNNERS)
        return fail(f, STATUS_USAGE, "at most %d methods are compared", LAB_RUNNERS - 1);
    struct lab_runner *r = &race->runners[race->count++];
    *r = (struct lab_runner){.idea = idea,
                             .party = {.threads = how->threads,
                                       .planar = !trusted,
                                       .device = how->device && !trusted,
                                       .trusted = trusted,
                                       .source = source,
                                       .library = source ? how->what : NULL}};
    snprintf(r->name, sizeof r->name, "%s", name);
    return lab_party_start(&r->party, how, &race->arrays, f);
}

static enum status add_method(struct lab_race *race, const struct lab_race_plan *plan,
                              const char *name, struct failure *f)
{
    const struct method *m = operator_method(race->input.operation.kind, SPACE_HOST, name);
    struct lab_start how = plan->kernel;
    how.program = plan->program;
    how.what = name;
    how.preload = NULL;
    how.script = NULL;
    how.device = false;
    how.limits.memory = 0;
    how.limits.seconds = 600.0;
    if (plan->thread_count > 0)
        how.threads = 1; /* beside the kernel's own line, what one worker clocks */
    return add(race, name, m ? m->idea : NULL, &how, true, NULL, f);
}

static enum status add_kernels(struct lab_race *race, const struct lab_race_plan *plan,
                               struct failure *f)
{
    struct lab_start how = plan->kernel;
    const size_t count = plan->thread_count > 0 ? plan->thread_count : 1;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        if (plan->thread_count > 0)
            how.threads = plan->threads[i];
        status = add(race, plan->name, NULL, &how, false, plan->source, f);
    }
    race->kernels = race->count;
    return status;
}

/* Methods that --against names. */
static enum status add_named(struct lab_race *race, const struct lab_race_plan *plan,
                             struct failure *f)
{
    char names[512];
    enum status status = STATUS_OK;
    snprintf(names, sizeof names, "%s", plan->against);
    for (char *rest = NULL, *name = strtok_r(names, ",", &rest); name && status == STATUS_OK;
         name = strtok_r(NULL, ",", &rest))
        status = add_method(race, plan, name, f);
    return status;
}

/* The steps of the ladder that can do this operation. */
static enum status add_ladder(struct lab_race *race, const struct lab_race_plan *plan,
                              struct failure *f)
{
    struct operation op = race->input.operation;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && op.kind->method(i); i++) {
        op.method = op.kind->method(i);
        if (op.method->kind == SPACE_HOST && !op.method->unavailable &&
            !(op.method->refuses && op.method->refuses(&op)) && race->count < LAB_RUNNERS)
            status = add_method(race, plan, op.method->name, f);
    }
    return status;
}

/* ---- samples ----------------------------------------------------------------------------------
 */

/* One trial. A method of ours that is wrong is our own failure. */
static enum status sample(struct lab_race *race, size_t which, uint64_t occasion, bool every_output,
                          struct failure *f)
{
    struct lab_runner *r = &race->runners[which];
    const struct lab_look look = {.seed = digest_mix(race->seed + occasion),
                                  .max_value = wide_integers,
                                  .every_output = every_output};
    const enum status status = lab_try(&r->party, &race->input, &race->arrays, &look, &r->last, f);
    if (status != STATUS_OK || r->last.verdict == LAB_CORRECT || !r->party.trusted)
        return status;
    if (r->party.worker.end == LAB_EXITED && r->party.worker.code == STATUS_UNAVAILABLE)
        return fail(f, STATUS_UNAVAILABLE, "--against %.800s", r->party.worker.text);
    return fail(f, STATUS_WRONG, "our method %s: %s %.300s", r->name, r->last.cause,
                r->party.worker.text);
}

const struct lab_runner *lab_race_kernel(const struct lab_race *race)
{
    for (size_t i = 1; i < race->kernels; i++)
        if (race->runners[i].last.verdict != LAB_CORRECT)
            return &race->runners[i];
    return &race->runners[0];
}

static bool kernel_failed(const struct lab_race *race)
{
    return lab_race_kernel(race)->last.verdict != LAB_CORRECT;
}

/* Some untimed samples of each, the first verified in full; `least` gets the shortest of each. */
static enum status probe(struct lab_race *race, double least[LAB_RUNNERS], struct failure *f)
{
    enum status status = STATUS_OK;
    uint64_t occasion = UINT64_C(1) << 40;
    for (size_t i = 0; i < race->count; i++) {
        least[i] = INFINITY;
        for (int j = 0; status == STATUS_OK && j < PROBES && !kernel_failed(race); j++) {
            status = sample(race, i, occasion++, j == 0, f);
            least[i] = j > 0 ? fmin(least[i], race->runners[i].last.seconds) : least[i];
        }
    }
    return status;
}

static void drop(struct lab_race *race, size_t which)
{
    lab_worker_end(&race->runners[which].party.worker);
    race->count--;
    memmove(&race->runners[which], &race->runners[which + 1],
            (race->count - which) * sizeof *race->runners);
}

/* Of the ladder stay its first step, the slowest that is faster than the kernel, and the fastest.
 */
static void choose(struct lab_race *race, const double least[LAB_RUNNERS])
{
    size_t next = 0, best = 0, kept = 0, which[3];
    for (size_t i = race->kernels; i < race->count; i++) {
        if (best == 0 || least[i] < least[best])
            best = i;
        if (least[i] < least[0] && (next == 0 || least[i] > least[next]))
            next = i;
    }
    const size_t wanted[] = {race->kernels, next, best};
    for (size_t i = 0; i < 3; i++)
        if (wanted[i] > 0 && wanted[i] < race->count && (kept == 0 || wanted[i] > which[kept - 1]))
            which[kept++] = wanted[i];
    for (size_t i = race->count; i-- > race->kernels;) {
        bool stays = false;
        for (size_t j = 0; j < kept; j++)
            stays = stays || which[j] == i;
        if (!stays)
            drop(race, i);
    }
}

/* ---- rounds -----------------------------------------------------------------------------------
 */

static void summarise_all(struct lab_race *race, double *room)
{
    const double *kernel = race->runners[0].seconds;
    for (size_t i = 0; i < race->count; i++) {
        struct lab_runner *r = &race->runners[i];
        memcpy(room, r->seconds, race->rounds * sizeof *room);
        r->time = summarise(room, race->rounds);
        for (size_t j = 0; j < race->rounds; j++)
            room[j] = r->seconds[j] / kernel[j];
        r->ratio = summarise(room, race->rounds);
    }
}

/* Looked at only at 10, 20, 40 ... rounds: after each would stop at the first lucky one. */
static bool is_enough(struct lab_race *race, const struct lab_race_plan *plan, double *room)
{
    size_t look = FIRST_LOOK;
    while (look < race->rounds)
        look *= 2;
    if (look != race->rounds)
        return false;
    summarise_all(race, room);
    if (plan->enough)
        return plan->enough(race, plan->context);
    for (size_t i = 0; i < race->count; i++)
        if (summary_relative_half_width(&race->runners[i].time) > plan->relative_ci)
            return false;
    return true;
}

void lab_race_order(uint64_t seed, size_t round, size_t count, size_t order[LAB_RUNNERS])
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    interleaving_order(seed, round, order, count);
}

static enum status one_round(struct lab_race *race, struct failure *f)
{
    size_t order[LAB_RUNNERS];
    enum status status = STATUS_OK;
    lab_race_order(race->seed, race->rounds, race->count, order);
    for (size_t i = 0; status == STATUS_OK && i < race->count && !kernel_failed(race); i++) {
        struct lab_runner *r = &race->runners[order[i]];
        status = sample(race, order[i], race->rounds * LAB_RUNNERS + order[i], false, f);
        r->began[race->rounds] = r->last.began;
        r->seconds[race->rounds] = r->last.seconds;
        r->product_s[race->rounds] = r->last.product_s;
        if (order[i] == 0)
            race->echoes[race->rounds] = r->last.echo_s;
    }
    return status;
}

static enum status allocate(struct lab_race *race, int64_t rounds, struct failure *f)
{
    bool good = true;
    for (size_t i = 0; i < race->count; i++) {
        race->runners[i].began = calloc((size_t)rounds, sizeof(double));
        race->runners[i].seconds = calloc((size_t)rounds, sizeof(double));
        race->runners[i].product_s = calloc((size_t)rounds, sizeof(double));
        good = good && race->runners[i].began && race->runners[i].seconds &&
               race->runners[i].product_s;
    }
    race->echoes = calloc((size_t)rounds, sizeof(double));
    return good && race->echoes ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for the samples");
}

static enum status run_rounds(struct lab_race *race, const struct lab_race_plan *plan,
                              struct failure *f)
{
    const double end = clock_now() + plan->seconds;
    double *room = calloc((size_t)plan->rounds, sizeof *room);
    enum status status =
        room ? allocate(race, plan->rounds, f) : fail(f, STATUS_RESOURCE, "no memory for samples");
    race->stop_reason = NULL;
    while (status == STATUS_OK && !race->stop_reason) {
        status = one_round(race, f);
        if (kernel_failed(race))
            race->stop_reason = "wrong";
        else
            race->rounds++;
        if (race->stop_reason || status != STATUS_OK)
            break;
        if (race->rounds >= (size_t)plan->rounds)
            race->stop_reason = "samples";
        else if (race->rounds >= LEAST && clock_now() > end)
            race->stop_reason = "seconds";
        else if (is_enough(race, plan, room))
            race->stop_reason = "relative_ci";
    }
    if (status == STATUS_OK) {
        summarise_all(race, room);
        memcpy(room, race->echoes, race->rounds * sizeof *room);
        race->echo_s = median_of(room, race->rounds);
    }
    free(room);
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------
 */

/* The method of ours with the least median over odd or even rounds; 0: there is none. */
static size_t best_of_half(const struct lab_race *race, size_t half, double *room)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = race->kernels; i < race->count; i++) {
        size_t n = 0;
        for (size_t j = half; j < race->rounds; j += 2)
            room[n++] = race->runners[i].seconds[j];
        const double median = median_of(room, n);
        if (median < least) {
            best = i;
            least = median;
        }
    }
    return best;
}

/* The halves choose for each other, so their series lies closer together than as many rounds would:
 * the interval is of 97.5 % (experiments/analysis/best/choice.h). */
static struct summary summarise_crossed(double *values, size_t count)
{
    struct summary s = summarise(values, count); /* sorts them */
    size_t lower, upper;
    if (median_interval_ranks(count, 0.975, &lower, &upper) == 0) {
        s.lower = values[lower - 1];
        s.upper = values[upper - 1];
    }
    return s;
}

/* Whoever is the best by all rounds is the luckiest by them, too: odd rounds choose for even ones,
 * and even for odd ones. Where both choose the same method its own times stand. */
static void time_best(struct lab_race *race, double *room)
{
    const double *kernel = race->runners[0].seconds;
    const size_t timed[] = {best_of_half(race, 1, room), best_of_half(race, 0, room)};
    if (timed[0] == timed[1])
        race->best = timed[0];
    race->best_time = race->runners[race->best].time;
    race->best_ratio = race->runners[race->best].ratio;
    if (timed[0] == timed[1])
        return;
    for (size_t j = 0; j < race->rounds; j++)
        room[j] = race->runners[timed[j & 1]].seconds[j];
    race->best_time = summarise_crossed(room, race->rounds);
    for (size_t j = 0; j < race->rounds; j++)
        room[j] = race->runners[timed[j & 1]].seconds[j] / kernel[j];
    race->best_ratio = summarise_crossed(room, race->rounds);
}

/* Which of those that take part stand for the first step, the next and the best. */
static enum status name_steps(struct lab_race *race, struct failure *f)
{
    const struct lab_runner *r = race->runners;
    double *room = calloc(race->rounds + 1, sizeof *room);
    if (!room)
        return fail(f, STATUS_RESOURCE, "no memory for samples");
    race->literal = race->count > race->kernels ? race->kernels : 0;
    for (size_t i = race->kernels; i < race->count; i++) {
        if (race->best == 0 || r[i].time.median < r[race->best].time.median)
            race->best = i;
        if (r[i].ratio.upper < 1.0 &&
            (race->next == 0 || r[i].time.median > r[race->next].time.median))
            race->next = i;
    }
    if (race->rounds >= LEAST)
        time_best(race, room);
    else {
        race->best_time = r[race->best].time;
        race->best_ratio = r[race->best].ratio;
    }
    free(room);
    return STATUS_OK;
}

enum status lab_race_run(struct lab_race *race, const struct lab_race_plan *plan, struct failure *f)
{
    size_t bytes[LAB_ARRAYS];
    double least[LAB_RUNNERS];
    *race = (struct lab_race){.seed = plan->seed, .arrays = {.descriptor = {-1, -1, -1}}};
    enum status status = lab_input_open(&race->input, plan->kind, &plan->size, plan->seed, f);
    lab_input_bytes(&race->input, bytes);
    if (status == STATUS_OK)
        status = lab_arrays_open(&race->arrays, bytes, f);
    if (status == STATUS_OK)
        status = add_kernels(race, plan, f);
    if (status == STATUS_OK)
        status = plan->against ? add_named(race, plan, f) : add_ladder(race, plan, f);
    if (status == STATUS_OK)
        status = probe(race, least, f);
    if (status == STATUS_OK && !plan->against)
        choose(race, least);
    if (status == STATUS_OK && !kernel_failed(race))
        status = run_rounds(race, plan, f);
    if (status == STATUS_OK && !kernel_failed(race))
        status = name_steps(race, f);
    return status;
}

void lab_race_close(struct lab_race *race)
{
    for (size_t i = 0; i < race->count; i++)
        lab_worker_end(&race->runners[i].party.worker);
    lab_arrays_close(&race->arrays);
}

void lab_race_release(struct lab_race *race)
{
    lab_race_close(race);
    lab_input_close(&race->input);
    for (size_t i = 0; i < race->count; i++) {
        free(race->runners[i].began);
        free(race->runners[i].seconds);
        free(race->runners[i].product_s);
    }
    free(race->echoes);
}
