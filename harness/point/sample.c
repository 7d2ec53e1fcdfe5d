/* The sampling loop: warm-up, timed executions, a verdict on each, and the rule that stops. */
#include "harness/base/clock.h"
#include "harness/base/signals.h"
#include "harness/machine/memory.h"
#include "harness/machine/simulation.h"
#include "harness/point/point.h"

#include "commit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    FIRST_LOOK = 10
}; /* samples after which the interval is looked at first, then twice as many */

/* ---- the record's columns ----------------------------------------------------------------------
 */

static void copy_text(char *field, const char *text)
{
    snprintf(field, RECORD_TEXT, "%s", text);
}

/* Distinguishes launches: host, process and start time. */
static void make_run_id(char *field, const char *host)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(field, RECORD_TEXT, "%.64s-%ld-%llx", host, (long)getpid(),
             (long long)now.tv_sec * 1000000000LL + now.tv_nsec);
}

static void fill_operator(struct record *r, const struct point *p)
{
    const struct operation *op = &p->operation;
    const struct options *o = &p->options;
    copy_text(r->operator_name, operator_name(op->kind));
    copy_text(r->method, operation_method(op));
    r->planes = op->image.planes;
    r->rows = op->image.rows;
    r->cols = op->image.cols;
    if (op->kind == OPERATOR_MAXPOOL) {
        r->kernel = op->geometry.kernel;
        r->stride = op->geometry.stride;
        r->padding = op->geometry.padding;
        copy_text(r->pad_mode, op->geometry.pad_mode == PAD_IGNORE ? "ignore" : "zero");
    }
    copy_text(r->filter, op->filter.name);
    copy_text(r->input, source_name(p->source));
    if (!o->input && strcmp(source_name(p->source), "random") == 0)
        r->max_value = o->max_value;
    if (r->max_value != RECORD_NO_INT || strcmp(op->filter.name, "random") == 0)
        r->seed = o->seed;
}

/* What only a GPU program has. The words are those of the options. */
static void fill_device(struct record *r, const struct point *p)
{
    static const char *const offloads[] = {"image", "window", "window-lean"};
    const struct options *o = &p->options;
    if (!p->resources.device)
        return;
    copy_text(r->device, p->resources.device);
    if (p->operation.kind == OPERATOR_MAXPOOL)
        copy_text(r->offload, offloads[o->device.offload]);
    copy_text(r->filter_memory,
              o->device.filter_memory == FILTER_CONSTANT ? "constant" : "transferred");
    r->block = o->device.block;
    copy_text(r->host_memory, o->device.host_memory == HOST_PINNED ? "pinned" : "pageable");
    r->streams = o->device.streams;
    r->chunks = p->resources.chunks;
    copy_text(r->cache, o->device.warm_cache ? "warm" : "flushed");
}

static void fill_row(struct point *p)
{
    struct record *r = &p->measurement.row;
    const struct resources *resources = &p->resources;
    *r = record_empty();
    copy_text(r->experiment, p->options.experiment ? p->options.experiment : "");
    copy_text(r->program, p->program->name);
    copy_text(r->space, p->program->space->name);
    fill_operator(r, p);
    r->ranks = resources->ranks;
    r->threads = resources->threads;
    r->nodes = resources->nodes;
    copy_text(r->isa, resources->isa);
    if (options_given(&p->options, "isa"))
        copy_text(r->isa_limit, isa_option((enum isa)p->options.isa));
    copy_text(r->bind, p->options.bind == 1 ? "core" : "none");
    copy_text(r->binding, resources->bind);
    if (options_given(&p->options, "pages"))
        copy_text(r->pages_asked, pages_option((enum pages)p->options.pages));
    copy_text(r->pages, resources->pages ? resources->pages : "");
    copy_text(r->launch, resources->launch);
    copy_text(r->distribution, resources->distribution ? resources->distribution : "");
    fill_device(r, p);
    make_run_id(r->run_id, p->machine.host);
    r->round = p->options.round;
    r->setup_s = resources->setup_s;
    copy_text(r->platform, p->options.platform ? p->options.platform : "");
    if (p->operation.row_s > 0.0)
        r->row_s = p->operation.row_s;
    copy_text(r->host, p->machine.host);
    copy_text(r->commit, MAXPOOL_COMMIT);
}

static void fill_sample(struct record *r, const struct phases *phases, const char *verified)
{
    const time_t now = time(NULL);
    struct tm utc;
    r->first_launch_s = phases->first_launch_s;
    r->distribute_s = phases->distribute_s;
    r->compute_s = phases->compute_s;
    r->product_s = phases->product_s;
    r->collect_s = phases->collect_s;
    r->total_s = phases->total_s;
    r->imbalance_s = phases->imbalance_s;
    r->start_error_s = phases->start_error_s;
    r->allocate_s = phases->allocate_s;
    r->device_distribute_s = phases->device_distribute_s;
    r->device_compute_s = phases->device_compute_s;
    r->device_collect_s = phases->device_collect_s;
    r->clock_mhz = phases->clock_mhz;
    copy_text(r->throttle, phases->throttle);
    copy_text(r->verified, verified);
    strftime(r->time_utc, RECORD_TEXT, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

/* ---- when to stop ------------------------------------------------------------------------------
 */

static bool time_to_look(size_t n)
{
    size_t look = FIRST_LOOK;
    while (look < n)
        look *= 2;
    return look == n;
}

enum reason { GO_ON, INTERRUPTED, RELATIVE_CI, SAMPLES, SECONDS, WRONG };

/* As the record has them. */
static const char *const reason_words[] = {"",        "interrupted", "relative_ci",
                                           "samples", "seconds",     "wrong"};

/* Why to stop after the last timed sample. The interval is looked at only at 10, 20, 40 ...
 * samples: looking after each would stop at the first lucky one. */
static enum reason reason_to_stop(const struct point *p, double started)
{
    const struct options *o = &p->options;
    const struct measurement *m = &p->measurement;
    if (m->count > 0 && time_to_look(m->count)) {
        const struct summary total = point_phase(p, phase_find("total_s"));
        if (summary_relative_half_width(&total) <= o->relative_ci)
            return RELATIVE_CI;
    }
    if (m->count >= (size_t)o->samples)
        return SAMPLES;
    if (clock_now() - started >= o->max_seconds)
        return SECONDS;
    return GO_ON;
}

/* The same after any execution; the root decides for all processes, and a signal to one of them is
 * for all. */
static enum reason decide(const struct point *p, bool warmup, double started, bool wrong)
{
    point_join_signals(p);
    enum reason reason = wrong              ? WRONG
                         : signals_caught() ? INTERRUPTED
                         : warmup           ? GO_ON
                                            : reason_to_stop(p, started);
    processes_share(p->program->space->processes, &reason, sizeof reason);
    return reason;
}

/* ---- progress ----------------------------------------------------------------------------------
 */

/* On a terminal, after two seconds: how far the sampling is and how long it may still take. */
static void show_progress(const struct point *p, double started, bool *shown)
{
    const double spent = clock_now() - started;
    const size_t n = p->measurement.count;
    if (spent < 2.0 || n == 0 || !isatty(STDERR_FILENO))
        return;
    const double by_samples = spent / (double)n * (double)((size_t)p->options.samples - n);
    const double by_time = p->options.max_seconds - spent;
    fprintf(stderr, "\r%s: sample %zu of at most %lld, at most %.0f s left \033[K",
            p->program->name, n, (long long)p->options.samples,
            fmax(0.0, fmin(by_samples, by_time)));
    *shown = true;
}

static void clear_progress(bool shown)
{
    if (shown)
        fprintf(stderr, "\r\033[K");
}

/* ---- one execution ------------------------------------------------------------------------------
 */

static enum status keep(struct measurement *m, const struct phases *phases, struct failure *f)
{
    if (m->count == m->capacity) {
        const size_t capacity = m->capacity > 0 ? 2 * m->capacity : 64;
        struct phases *grown = realloc(m->timed, capacity * sizeof *grown);
        if (!grown)
            return fail(f, STATUS_RESOURCE, "no memory for %zu samples", capacity);
        m->timed = grown;
        m->capacity = capacity;
    }
    m->timed[m->count++] = *phases;
    return STATUS_OK;
}

/* Writes the finished row where rows go. */
static enum status publish(struct point *p, struct failure *f)
{
    const struct record *r = &p->measurement.row;
    if (!point_is_root(p))
        return STATUS_OK;
    if (p->options.format == FORMAT_CSV) {
        record_print(stdout, r);
        if (fflush(stdout) != 0)
            return fail(f, STATUS_OUTPUT, "standard output could not be written");
    }
    return p->writer ? record_append(p->writer, r, f) : STATUS_OK;
}

/* Poisons, executes, judges, and fills the row. A wrong result is a sample too: it returns
 * STATUS_OK and says so in the row and in *verdict, whose message is kept for the end. */
static enum status execute(struct point *p, struct phases *phases, struct failure *verdict,
                           struct failure *f)
{
    const struct space *space = p->program->space;
    int64_t first, count;
    space->poison(p->instance);
    enum status status = space->execute(p->instance, phases, f);
    if (status != STATUS_OK)
        return status;
    const float *map = space->map(p->instance, &first, &count);
    status = point_agree(p, verifier_judge(p->verifier, map, verdict), verdict);
    fill_sample(&p->measurement.row, phases,
                status == STATUS_OK ? verifier_verdict(p->verifier) : "wrong");
    if (status == STATUS_OK || status == STATUS_WRONG)
        return STATUS_OK;
    return fail(f, status, "%s", verdict->message);
}

/* The last row carries the reason, and bounded results are compared in full once more. */
static enum status finish(struct point *p, enum reason reason, struct failure *verdict,
                          struct failure *f)
{
    struct measurement *m = &p->measurement;
    int64_t first, count;
    const float *map = p->program->space->map(p->instance, &first, &count);
    const enum status status =
        point_agree(p, verifier_judge_last(p->verifier, map, verdict), verdict);
    m->stop_reason = reason_words[verdict->status == STATUS_WRONG ? WRONG : reason];
    copy_text(m->row.stop_reason, m->stop_reason);
    if (verdict->status == STATUS_WRONG)
        copy_text(m->row.verified, "wrong");
    else if (status != STATUS_OK)
        return fail(f, status, "%s", verdict->message);
    return STATUS_OK;
}

/* One sample, warm-up or timed; *stop tells whether it was the last. */
static enum status take_sample(struct point *p, int64_t sample, bool warmup, double started,
                               bool *stop, struct failure *verdict, struct failure *f)
{
    struct phases phases;
    p->measurement.row.sample = sample;
    p->measurement.row.warmup = warmup;
    enum status status = execute(p, &phases, verdict, f);
    if (status == STATUS_OK && !warmup)
        status = point_agree(p, keep(&p->measurement, &phases, f), f);
    if (status != STATUS_OK)
        return status;
    const enum reason reason = decide(p, warmup, started, verdict->status != STATUS_OK);
    *stop = reason != GO_ON;
    if (*stop)
        status = finish(p, reason, verdict, f);
    const enum status written = publish(p, f);
    return point_agree(p, status != STATUS_OK ? status : written, f);
}

static enum status make_verifier(struct point *p, struct failure *f)
{
    struct verify_scope scope = {.deal = &p->resources.deal};
    p->program->space->map(p->instance, &scope.first, &scope.count);
    enum status status =
        verifier_make(&p->verifier, &p->operation, p->source, &p->resources.facts, &scope,
                      (enum verify_mode)p->options.verify, (uint64_t)p->options.seed, f);
    status = point_agree(p, status, f);
    if (status == STATUS_OK && point_is_root(p) && verifier_downgraded(p->verifier))
        fprintf(stderr,
                "%s: a full verification would take too long here: verifying edges and 4096 "
                "outputs of each sample instead\n",
                p->program->name);
    return status;
}

enum status point_sample(struct point *p, struct failure *f)
{
    struct failure verdict = {0};
    bool stop = false, shown = false;
    p->measurement.resolution_s = clock_resolution();
    enum status status = make_verifier(p, f);
    if (!simulation_is_here()) /* there a signal is for all ranks at once */
        signals_catch();
    if (point_is_root(p))
        fill_row(p);
    if (status == STATUS_OK && point_is_root(p) && p->options.format == FORMAT_CSV)
        record_print_header(stdout);
    for (int64_t i = 0; status == STATUS_OK && !stop && i < p->options.warmup; i++)
        status = take_sample(p, i, true, 0.0, &stop, &verdict, f);
    const double started = clock_now();
    for (int64_t i = 0; status == STATUS_OK && !stop; i++) {
        status = take_sample(p, i, false, started, &stop, &verdict, f);
        if (point_is_root(p))
            show_progress(p, started, &shown);
    }
    clear_progress(shown);
    if (status == STATUS_OK && verdict.status != STATUS_OK)
        return fail(f, verdict.status, "%s", verdict.message);
    return status;
}

/* ---- the phases --------------------------------------------------------------------------------
 */

const struct phase_row phase_rows[] = {
    {"first_launch_s", "first launch", offsetof(struct phases, first_launch_s)},
    {"allocate_s", "allocate, free", offsetof(struct phases, allocate_s)},
    {"distribute_s", "distribute", offsetof(struct phases, distribute_s)},
    {"compute_s", "compute", offsetof(struct phases, compute_s)},
    {"product_s", "of it product", offsetof(struct phases, product_s)},
    {"collect_s", "collect", offsetof(struct phases, collect_s)},
    {"imbalance_s", "imbalance", offsetof(struct phases, imbalance_s)},
    {"start_error_s", "start error", offsetof(struct phases, start_error_s)},
    {"device_distribute_s", "GPU: copy in", offsetof(struct phases, device_distribute_s)},
    {"device_compute_s", "GPU: kernels", offsetof(struct phases, device_compute_s)},
    {"device_collect_s", "GPU: copy out", offsetof(struct phases, device_collect_s)},
    {"total_s", "total", offsetof(struct phases, total_s)},
};

const size_t phase_row_count = sizeof phase_rows / sizeof phase_rows[0];

const struct phase_row *phase_find(const char *column)
{
    size_t i = 0;
    while (i + 1 < phase_row_count && strcmp(phase_rows[i].column, column) != 0)
        i++;
    return &phase_rows[i];
}

double phase_seconds(const struct phases *phases, const struct phase_row *row)
{
    double seconds;
    memcpy(&seconds, (const char *)phases + row->offset, sizeof seconds);
    return seconds;
}

struct summary point_phase(const struct point *p, const struct phase_row *row)
{
    const struct measurement *m = &p->measurement;
    double *seconds = malloc((m->count + 1) * sizeof *seconds);
    size_t n = 0;
    for (size_t i = 0; seconds && i < m->count; i++) {
        seconds[n] = phase_seconds(&m->timed[i], row);
        n += !isnan(seconds[n]);
    }
    const struct summary summary = summarise(seconds, n);
    free(seconds);
    return summary;
}
