/* The sampling loop: warm-up, then rounds (column `turn`). In a round every method that has not
 * stopped takes one timed sample, in a new random order. A method alone has rounds of one sample.
 *
 * Interleaved methods share the disturbances of the machine, and because of the random order no
 * method always follows the same other method. The contents of the caches must not depend on the
 * preceding method. If a method's share of the working set may fit a cache, an untimed execution of
 * the same method therefore precedes each timed one, as its own last sample does when it is
 * measured alone. If the working set is larger, every method leaves the same in the caches: the end
 * of the image and of the map. */
#include "harness/base/clock.h"
#include "harness/base/signals.h"
#include "harness/base/text/screen.h"
#include "harness/machine/simulation.h"
#include "harness/point/point.h"
#include "harness/point/sampling/rounds.h"
#include "harness/point/sampling/sample.h"
#include "harness/point/subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- executions per sample ------------------------------------------------------------------- */

/* The clock advances in steps, and reading it takes about one step: a span between two readings may
 * be wrong by two steps. Spans of at least 200 steps are wrong by at most 1 %. Shorter executions
 * are repeated until the span is that long, and the sample is the mean. The map is poisoned before
 * the first repeat and verified after the last. */

enum {
    STEPS_LEAST = 200, /* clock steps in a sample */
    LONG = 1000,       /* an execution of this many times the least span was delayed, or is long */
    GROWTH_MOST = 16,  /* most growth of the repeats at once, as a factor */
    REPEATS_MOST = 1 << 24 /* an empty execution would never take long enough */
};

/* Seconds of a warm-up that cannot be a delay alone: no probing needed. */
static const double surely_long_s = 1.0;

/* Sets *seconds to the whole time of the fastest of a few samples: a single delayed one has no
 * effect. Two long ones, the warm-up included, end the probing. The root's clock decides for all
 * processes. */
static enum status probe(struct point *p, struct contender *c, double least, double *seconds,
                         struct failure *f)
{
    enum { PROBES = 3 };
    enum status status = STATUS_OK;
    int long_ones = c->measurement.row.total_s >= LONG * least;
    *seconds = INFINITY;
    for (int i = 0; status == STATUS_OK && i < PROBES; i++) {
        double mean = 0.0;
        processes_broadcast(p->program->space->processes, &long_ones, sizeof long_ones);
        if (long_ones >= 2)
            break;
        status = sample_execute_untimed(p, c, &mean, f);
        *seconds = fmin(*seconds, mean * (double)c->measurement.repeats);
        long_ones += mean >= LONG * least;
    }
    return status;
}

/* Returns the factor by which the repeats must grow to reach `least` seconds, with a quarter to
 * spare. */
static int64_t growth(double seconds, double least)
{
    if (!(seconds * GROWTH_MOST > 1.25 * least))
        return GROWTH_MOST;
    return (int64_t)fmax(2.0, ceil(1.25 * least / seconds));
}

/* Sets the repeats of a method that was warmed up, the same in all processes: 1 if one execution is
 * long enough for the clock. */
static enum status repeats_choose(struct point *p, struct contender *c, struct failure *f)
{
    struct measurement *m = &c->measurement;
    const struct processes *processes = p->program->space->processes;
    const double least = STEPS_LEAST * p->clock_step_s;
    enum status status = STATUS_OK;
    bool enough = !p->program->space->execute_batch || simulation_is_here() ||
                  p->options.warmup == 0 || m->stop_reason || m->row.total_s >= surely_long_s;
    processes_broadcast(processes, &enough, sizeof enough);
    while (status == STATUS_OK && !enough) {
        double seconds;
        status = probe(p, c, least, &seconds, f);
        enough = seconds >= least || m->repeats >= REPEATS_MOST || signals_caught();
        if (status == STATUS_OK && !enough)
            m->repeats *= growth(seconds, least);
        processes_broadcast(processes, &enough, sizeof enough);
        processes_broadcast(processes, &m->repeats, sizeof m->repeats);
    }
    return status;
}

/* ---- the order ------------------------------------------------------------------------------- */

/* Lists the methods that have not stopped, in the order of this round; the same in all
 * processes. */
static size_t draw(const struct point *p, uint64_t turn, size_t *items)
{
    size_t count = 0;
    for (size_t i = 0; i < p->contender_count; i++)
        if (!p->contenders[i].measurement.stop_reason)
            items[count++] = i;
    rounds_shuffle((uint64_t)p->options.seed, turn, items, count);
    return count;
}

/* ---- caches ---------------------------------------------------------------------------------- */

static double bytes_of(struct image_shape s)
{
    return (double)s.planes * (double)s.rows * (double)s.cols * sizeof(float);
}

/* Size of the last-level cache, of one instance; 0 if unknown. */
static double last_cache(const struct machine *m)
{
    int level = 3;
    while (level > 1 && m->cache_bytes[level] == 0)
        level--;
    return (double)m->cache_bytes[level];
}

/* Could a worker's share of the working set fit a last-level cache of its own? If the answer is
 * wrongly yes, it only costs an additional execution. A GPU's cache is flushed before each sample,
 * unless --warm-cache is given. */
static bool fits_a_cache(const struct point *p, const struct contender *c)
{
    const struct resources *r = &c->resources;
    const double workers = (r->ranks == RECORD_NO_INT ? 1.0 : (double)r->ranks) *
                           (r->threads == RECORD_NO_INT ? 1.0 : (double)r->threads);
    const struct operation *op = &c->operation;
    const double right = bytes_of(operation_right(op)->shape);
    const double set =
        bytes_of(op->image) + bytes_of(op->map) + right * workers + (double)r->scratch_bytes;
    const double cache = last_cache(&p->machine);
    return p->options.device.warm_cache || cache == 0.0 || set / workers <= cache;
}

/* The root decides for all processes, since computers may differ. A simulated machine has no
 * caches. */
static void choose_primed(struct point *p)
{
    const struct processes *processes = p->program->space->processes;
    for (size_t i = 0; i < p->contender_count; i++) {
        struct contender *c = &p->contenders[i];
        c->primed = p->contender_count > 1 && !simulation_is_here() && fits_a_cache(p, c);
        processes_broadcast(processes, &c->primed, sizeof c->primed);
    }
}

/* ---- progress -------------------------------------------------------------------------------- */

/* Most seconds that the method may still take. */
static double seconds_left(const struct options *o, const struct measurement *m)
{
    if (m->stop_reason || m->count == 0)
        return 0.0;
    const double by_samples =
        m->spent_s / (double)m->count * (double)((size_t)o->samples - m->count);
    return fmax(0.0, fmin(by_samples, o->max_seconds - m->spent_s));
}

/* Shows on a terminal, after two seconds, the progress of the sampling and the time that it may
 * still take. */
static void show_progress(const struct point *p, double started, size_t turns, bool *shown)
{
    double left = 0.0;
    if (!point_is_root(p) || clock_now() - started < 2.0 || !isatty(STDERR_FILENO))
        return;
    for (size_t i = 0; i < p->contender_count; i++)
        left += seconds_left(&p->options, &p->contenders[i].measurement);
    char seconds[32], line[256];
    snprintf(seconds, sizeof seconds, "%.0f", left);
    message_format(line, sizeof line, screen_language(),
                   "sample %{n} of at most %{most}, at most %{seconds} s left",
                   WITH({"n", integer_text((int64_t)turns).text},
                        {"most", integer_text(p->options.samples).text}, {"seconds", seconds}));
    fprintf(stderr, "\r%s: %s \033[K", p->program->name, line);
    *shown = true;
}

static void clear_progress(bool shown)
{
    if (shown)
        fprintf(stderr, "\r\033[K");
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* A caught signal stops all methods after the current sample, whose row records it. */
static bool interrupted(const struct contender *c)
{
    const char *reason = c->measurement.stop_reason;
    return reason && strcmp(reason, "interrupted") == 0;
}

static void stop_all(struct point *p, const char *reason)
{
    for (size_t i = 0; i < p->contender_count; i++)
        if (!p->contenders[i].measurement.stop_reason)
            p->contenders[i].measurement.stop_reason = reason;
}

/* Takes one sample of each method that has not stopped; *count is the number of these methods. */
static enum status measure_round(struct point *p, int64_t sample, bool warmup, size_t *items,
                                 size_t *count, struct failure *f)
{
    const uint64_t turn = (uint64_t)sample + (warmup ? 0 : (uint64_t)p->options.warmup);
    enum status status = STATUS_OK;
    *count = draw(p, turn, items);
    for (size_t i = 0; status == STATUS_OK && i < *count; i++) {
        struct contender *c = &p->contenders[items[i]];
        const struct occasion o = {.sample = sample, .warmup = warmup, .place = (int64_t)i};
        status = sample_take(p, c, &o, f);
        if (interrupted(c)) {
            stop_all(p, c->measurement.stop_reason);
            return status;
        }
    }
    return status;
}

static enum status measure_rounds(struct point *p, size_t *items, struct failure *f)
{
    size_t count = p->contender_count;
    bool shown = false;
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < p->options.warmup; i++)
        status = measure_round(p, i, true, items, &count, f);
    for (size_t i = 0; status == STATUS_OK && i < p->contender_count; i++)
        status = repeats_choose(p, &p->contenders[i], f);
    const double started = clock_now();
    for (int64_t i = 0; status == STATUS_OK && count > 0; i++) {
        status = measure_round(p, i, false, items, &count, f);
        show_progress(p, started, (size_t)i + 1, &shown);
    }
    clear_progress(shown);
    return status;
}

struct rounds {
    struct point *point;
    size_t *items;
    enum status status;
    struct failure *failure;
};

static void run_rounds(void *context)
{
    struct rounds *r = context;
    r->status = measure_rounds(r->point, r->items, r->failure);
}

/* Libraries have threads of their own. */
static bool any_library(const struct point *p)
{
    for (size_t i = 0; i < p->contender_count; i++)
        if (p->contenders[i].peer)
            return true;
    return false;
}

/* Measures while the team is held: a thread that is descheduled between two executions holds up
 * none. */
static enum status measure_held(struct point *p, size_t *items, struct failure *f)
{
    struct rounds r = {p, items, STATUS_OK, f};
    const struct space *space = p->program->space;
    if (space->hold && p->contender_count > 0 && !any_library(p))
        space->hold(p->contenders[0].instance, run_rounds, &r);
    else
        run_rounds(&r);
    return r.status;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static enum status verify_operation(struct point *p, const struct operation *op,
                                    const struct verify_scope *scope, struct verifier **out,
                                    struct failure *f)
{
    return verifier_make(out, op, p->source, &p->contenders[0].resources.facts, scope,
                         (enum verify_mode)p->options.verify, (uint64_t)p->options.seed, f);
}

/* Sets the outputs of a method that this process has. */
static struct verify_scope scope_of(const struct point *p, const struct contender *c,
                                    struct verify_scope scope)
{
    p->program->space->map(c->instance, &scope.first, &scope.count);
    return scope;
}

/* The first method that rounds no more than others; if there is none, the first one. */
static const struct contender *common_contender(const struct point *p)
{
    for (size_t i = 0; i < p->contender_count; i++)
        if (!p->contenders[i].operation.method->rounds)
            return &p->contenders[i];
    return &p->contenders[0];
}

/* Makes the verifier that all methods have in common: the correct values do not depend on the
 * method. The allowed error does if a method rounds more than others, and which outputs a process
 * has if it computes several rows together: such a method has its own verifier. */
static enum status make_verifiers(struct point *p, const struct verify_scope *edges,
                                  struct failure *f)
{
    const struct verify_scope common = scope_of(p, common_contender(p), *edges);
    enum status status = verify_operation(p, &p->operation, &common, &p->verifier, f);
    for (size_t i = 0; status == STATUS_OK && i < p->contender_count; i++) {
        struct contender *c = &p->contenders[i];
        const struct verify_scope own = scope_of(p, c, *edges);
        if (c->operation.method->rounds || own.first != common.first || own.count != common.count)
            status = verify_operation(p, &c->operation, &own, &c->verifier, f);
    }
    return status;
}

/* The methods' partitions differ, so the edges between the workers of each are checked. */
static enum status make_operator_verifier(struct point *p, struct failure *f)
{
    struct verify_scope edges = {.partition_count = p->contender_count};
    struct partition *partitions = malloc(p->contender_count * sizeof *partitions);
    if (!partitions)
        return fail(f, STATUS_RESOURCE, "no memory for the verification");
    for (size_t i = 0; i < p->contender_count; i++)
        partitions[i] = p->contenders[i].resources.partition;
    edges.partitions = partitions;
    const enum status status = make_verifiers(p, &edges, f);
    free(partitions);
    return status;
}

static enum status make_verifier(struct point *p, struct failure *f)
{
    const struct subject *subject = p->program->subject;
    enum status status =
        subject ? subject->make_verifier(p, &p->verifier, f) : make_operator_verifier(p, f);
    status = point_common_status(p, status, f);
    if (status == STATUS_OK && point_is_root(p) && verifier_downgraded(p->verifier))
        fprintf(stderr, "%s: %s\n", p->program->name,
                screen_text(N_("a full verification would take too long here: verifying edges and "
                               "4096 outputs of each sample instead")));
    return status;
}

/* Reports wrong results at the end: the first one, with the method's name if there are several, and
 * the number of other wrong methods. */
static enum status describe_wrong(const struct point *p, struct failure *f)
{
    const struct contender *wrong = NULL;
    int others = 0;
    for (size_t i = p->contender_count; i-- > 0;)
        if (p->contenders[i].measurement.verdict.status != STATUS_OK) {
            others += wrong != NULL;
            wrong = &p->contenders[i];
        }
    if (!wrong)
        return STATUS_OK;
    const struct failure *verdict = &wrong->measurement.verdict;
    if (p->contender_count == 1 && !wrong->measurement.outside)
        return fail(f, verdict->status, "%s", verdict->message);
    const char *name = operation_method(&wrong->operation);
    if (others > 1)
        return fail(f, verdict->status, "method %s: %s (and %d other methods)", name,
                    verdict->message, others);
    if (others == 1)
        return fail(f, verdict->status, "method %s: %s (and 1 other method)", name,
                    verdict->message);
    return fail(f, verdict->status, "method %s: %s", name, verdict->message);
}

enum status point_sample(struct point *p, struct failure *f)
{
    size_t *items = malloc(p->contender_count * sizeof *items);
    p->clock_step_s = clock_resolution();
    enum status status = items ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for the turns");
    status = point_common_status(p, status, f);
    if (status == STATUS_OK)
        status = make_verifier(p, f);
    if (!simulation_is_here()) /* in a simulation a signal reaches all ranks at once */
        signals_catch();
    if (status == STATUS_OK) {
        choose_primed(p);
        if (point_is_root(p))
            rows_fill(p);
        if (point_is_root(p) && p->options.format == FORMAT_CSV)
            record_print_header(stdout);
        const struct subject *subject = p->program->subject;
        status = subject && subject->samples && subject->samples(p) ? subject->sample(p, f)
                                                                    : measure_held(p, items, f);
    }
    free(items);
    return status == STATUS_OK ? describe_wrong(p, f) : status;
}
