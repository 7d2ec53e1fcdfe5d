#include "experiments/program/own_study.h"

#include "experiments/common/lock.h"
#include "experiments/common/program_file.h"
#include "experiments/common/progress.h"
#include "experiments/common/results.h"
#include "experiments/program/launch/own_launch.h"
#include "experiments/program/launch/own_sample.h"
#include "experiments/program/own_rounds.h"
#include "experiments/program/own_start.h"
#include "experiments/run/environment.h"
#include "experiments/samples/folder_samples.h"
#include "experiments/samples/point.h"
#include "experiments/samples/samples.h"
#include "harness/base/clock.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/screen.h"
#include "harness/machine/machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* One worker count. */
struct own_point {
    struct own_workers workers;
    struct record identity; /* its point columns */
    struct own_arm arm;
    struct own_tally used; /* in this run */
    bool started;          /* its program was, in this run */
};

struct own_study {
    const struct own_question *question;
    const char *results, *name;
    char title[OWN_TITLE], identity[SHA256_HEX], host[256];
    struct definition definition;
    struct own_point *points;
    size_t count;
    struct record_writer *samples;
    struct table_writer *journal, *usage;
    char first_hash[SHA256_HEX]; /* for --same-output */
    int64_t set;                 /* of launches, from 1 */
    bool shown;                  /* a bad launch was shown */
    struct own_rounds rounds;
    struct progress progress;
    struct run_summary *summary;
    struct failure *failure;
};

/* ---- points ---------------------------------------------------------------------------------- */

static struct record identity_of(const struct own_study *s, const struct own_workers *w)
{
    struct record r = record_empty();
    snprintf(r.experiment, sizeof r.experiment, "%s", s->name);
    snprintf(r.program, sizeof r.program, "%s", s->title);
    snprintf(r.method, sizeof r.method, "%s", s->title);
    if (s->question->command.seconds.count > 1) /* a phase is a method, with samples of its own */
        own_phase_name(&s->question->command, 0, r.method);
    snprintf(r.operator_name, sizeof r.operator_name, "%s", own_operator);
    snprintf(r.space, sizeof r.space, "%s", w->ranks == RECORD_NO_INT ? "omp" : "mpi");
    if (s->question->command.bind)
        snprintf(r.bind, sizeof r.bind, "%s", binding_options[s->question->command.bind]);
    r.ranks = w->ranks;
    r.threads = w->threads;
    r.rows = w->size;
    r.cols = w->size == RECORD_NO_INT ? RECORD_NO_INT : 1;
    return r;
}

/* The values of an axis of the definition; one that is absent has one value. */
static const struct texts *axis_of(const struct definition *d, const char *column)
{
    const struct sweep *sweep = &d->sweeps[0];
    for (size_t i = 0; i < sweep->axis_count; i++)
        if (sweep->axes[i].column == point_column_find(column))
            return &sweep->axes[i].values;
    return NULL;
}

static int64_t value_at(const struct texts *values, size_t i)
{
    return values ? strtoll(values->items[i], NULL, 10) : RECORD_NO_INT;
}

static enum status add_point(struct own_study *s, int64_t ranks, int64_t threads)
{
    const struct own_question *q = s->question;
    struct own_workers w = {.ranks = ranks, .threads = threads, .size = RECORD_NO_INT};
    if (q->size > 0)
        w.size = q->weak ? q->size * own_workers_count(&w) : q->size;
    struct own_point *grown = array_grow(s->points, s->count, sizeof *grown);
    if (!grown)
        return fail(s->failure, STATUS_RESOURCE, "not enough memory for the worker counts");
    s->points = grown;
    grown[s->count] = (struct own_point){.workers = w, .identity = identity_of(s, &w)};
    if (!own_arm_begin(&grown[s->count].arm))
        return fail(s->failure, STATUS_RESOURCE, "not enough memory for the worker counts");
    s->count++;
    return STATUS_OK;
}

static bool has_base(const struct own_study *s)
{
    bool has = s->question->base < 2;
    for (size_t i = 0; i < s->count; i++)
        has = has || own_workers_count(&s->points[i].workers) == s->question->base;
    return has;
}

static enum status make_points(struct own_study *s)
{
    const struct texts *ranks = axis_of(&s->definition, "ranks"),
                       *threads = axis_of(&s->definition, "threads");
    enum status status = STATUS_OK;
    for (size_t i = 0; i < (ranks ? ranks->count : 1); i++)
        for (size_t j = 0; j < (threads ? threads->count : 1) && status == STATUS_OK; j++)
            status = add_point(s, value_at(ranks, i), value_at(threads, j));
    if (status == STATUS_OK && !has_base(s))
        status = fail(s->failure, STATUS_USAGE,
                      "--base: %" PRId64 " is none of the numbers of workers that are measured",
                      s->question->base);
    return status;
}

/* ---- what is there already ------------------------------------------------------------------- */

/* Notes the launches of a set; returns false if the set lacks some. */
static bool note_set(struct own_study *s, const struct samples *seen, int64_t set)
{
    for (size_t j = 0; j < s->count; j++)
        memset(s->points[j].arm.done, 0, OWN_ROUNDS_MOST * sizeof(bool));
    for (size_t i = 0; i < seen->launch_count; i++) {
        const struct launch *l = &seen->launches[i];
        for (size_t j = 0; j < s->count && l->round >= 0 && l->round < OWN_ROUNDS_MOST; j++)
            if (l->set == set &&
                point_matches(&s->points[j].identity, &seen->points[l->point].identity))
                s->points[j].arm.done[l->round] = true;
    }
    return own_rounds_done(&s->rounds) == s->count * (size_t)s->definition.launches;
}

/* Notes the launches that the samples hold, of the newest set; begins another if that is asked and
 * the newest is whole. A wrong launch stays there, and its point is INVALID; it is not launched
 * again in its set. */
static enum status read_samples(struct own_study *s)
{
    s->set = 1;
    struct samples seen;
    const enum status status = folder_samples_of_one(&seen, s->results, s->name, s->failure);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < seen.launch_count; i++)
        s->set = seen.launches[i].set > s->set ? seen.launches[i].set : s->set;
    const bool whole = note_set(s, &seen, s->set);
    if (s->question->again && (whole || s->set == 1))
        note_set(s, &seen, ++s->set);
    samples_release(&seen);
    return STATUS_OK;
}

static bool take_hash(const struct journal_row *row, void *context)
{
    struct own_study *s = context;
    return !own_hash_read(row, s->first_hash);
}

/* ---- what is written ------------------------------------------------------------------------- */

static void put_set(const struct own_study *s, struct record *r)
{
    if (s->set < 2)
        return;
    r->set = s->set;
    r->set_launches = s->definition.launches;
}

/* What a launch used, beside its sample. Bytes that one worker moves grow with weak scaling. */
static enum status append_usage(struct own_study *s, const struct own_point *p, const char *run_id,
                                const struct own_launch *l)
{
    const struct own_question *q = s->question;
    const double share = q->weak ? (double)own_workers_count(&p->workers) : 1.0;
    const struct usage_row row =
        own_usage(l, run_id, q->bytes > 0.0 ? share * q->bytes : (double)NAN);
    return table_append(s->usage, &row, s->failure);
}

static enum status append_sample(struct own_study *s, const struct own_point *p, int64_t round,
                                 const struct own_launch *l)
{
    const struct own_command *c = &s->question->command;
    struct record r = own_sample(l, c, &p->identity, s->host, s->identity);
    enum status status = STATUS_OK;
    r.round = round;
    put_set(s, &r);
    for (size_t i = 0; i < own_sample_count(c) && status == STATUS_OK; i++) {
        own_sample_phase(&r, l, c, i, s->title);
        status = record_append(s->samples, &r, s->failure);
    }
    return status == STATUS_OK ? append_usage(s, p, r.run_id, l) : status;
}

static enum status append_journal(struct own_study *s, const struct own_point *p, int64_t round,
                                  bool extra, const struct own_launch *l)
{
    struct journal_row row = journal_blank();
    row.point = p->identity;
    row.point.round = round;
    put_set(s, &row.point);
    clock_utc(row.point.time_utc, sizeof row.point.time_utc);
    snprintf(row.scale, sizeof row.scale, "%s", scale_names[s->question->scale]);
    snprintf(row.status, sizeof row.status, "%s", own_end_words[l->end]);
    text_fit(row.reason, sizeof row.reason,
             extra && l->end == OWN_DONE ? journal_further : l->reason);
    text_fit(row.command, sizeof row.command, l->command);
    if (l->process.end == PROCESS_EXITED)
        row.exit_status = l->process.exit_status;
    if (l->process.signal)
        row.signal = l->process.signal;
    row.seconds = l->process.seconds;
    if (l->end != OWN_DONE)
        text_fit(row.output, sizeof row.output, l->process.output);
    return table_append(s->journal, &row, s->failure);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Shows a launch that does not count, the first only: the others often fail alike. */
static void show_bad(struct own_study *s, const struct own_launch *l)
{
    if (s->shown)
        return;
    s->shown = true;
    progress_end(&s->progress);
    own_launch_show(l);
}

static void count_launch(struct own_study *s, struct own_point *p, int64_t round, bool extra,
                         const struct own_launch *l)
{
    struct run_summary *sum = s->summary;
    const bool done = l->end == OWN_DONE;
    p->arm.done[round] |= done || l->end == OWN_WRONG;
    p->arm.failed |= !done && l->end != OWN_STOPPED;
    if (done)
        own_tally_add(&p->used, l);
    p->arm.latest_s = l->wall_s > 0.0 ? l->wall_s : p->arm.latest_s;
    sum->done += done;
    sum->extra += done && extra;
    sum->failed += !done && l->end != OWN_STOPPED;
    sum->wrong |= l->end == OWN_WRONG;
    if (l->end == OWN_DONE && !s->first_hash[0])
        memcpy(s->first_hash, l->hash, sizeof s->first_hash);
}

static enum status launch(void *context, size_t arm, int64_t round, bool extra)
{
    struct own_study *s = context;
    struct own_point *p = &s->points[arm];
    struct own_launch l;
    char what[RECORD_TEXT + 60];
    const int64_t workers = own_workers_count(&p->workers);
    char count[24];
    snprintf(count, sizeof count, "%" PRId64, workers);
    message_fill(what, sizeof what,
                 message_plural(screen_language(), "%{title}, %{n} worker",
                                "%{title}, %{n} workers", (unsigned long)workers),
                 WITH({"title", s->title}, {"n", count}));
    s->progress.left_s = own_rounds_left_s(&s->rounds);
    progress_show(&s->progress, what);
    const double timeout_s =
        s->question->timeout_s > 0.0 ? s->question->timeout_s : s->definition.time_limit_s;
    enum status status = own_launch_run(&l, &s->question->command, &p->workers, timeout_s,
                                        s->first_hash, s->failure);
    p->started |= l.started;
    if (status == STATUS_OK && (l.end == OWN_DONE || l.end == OWN_WRONG))
        status = append_sample(s, p, round, &l);
    if (status == STATUS_OK && l.end != OWN_NOT_STARTED)
        status = append_journal(s, p, round, extra, &l);
    if (status == STATUS_OK) {
        count_launch(s, p, round, extra, &l);
        if (l.end == OWN_NOT_STARTED)
            status = fail(s->failure, STATUS_USAGE, "%s", l.reason);
        else if (l.end != OWN_DONE && l.end != OWN_STOPPED)
            show_bad(s, &l);
    }
    own_launch_release(&l);
    progress_advance(&s->progress, 0.0);
    return status;
}

/* For each number of workers whose program was started, however it ended; *f: the first that
 * fails. */
static enum status clean_up(struct own_study *s, struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < s->count; i++) {
        struct failure later = {0};
        if (!s->points[i].started)
            continue;
        const enum status cleaned = own_cleanup_run(&s->question->command, &s->points[i].workers,
                                                    status == STATUS_OK ? f : &later);
        status = status == STATUS_OK ? cleaned : status;
    }
    return status;
}

/* Refuses a command whose program cannot be started, before anything is waited for. One that
 * --prepare may make, or whose name has places, is looked for when it is launched. */
static enum status find_program(const struct own_study *s)
{
    const struct own_command *c = &s->question->command;
    char why[900];
    if (c->prepare || strchr(c->words[0], '{') || program_file_starts(c->words[0], why, sizeof why))
        return STATUS_OK;
    return fail(s->failure, STATUS_USAGE, "the command cannot be started: %s", why);
}

static enum status run_rounds(struct own_study *s)
{
    if (find_program(s) != STATUS_OK)
        return s->failure->status;
    const double busy = own_rounds_wait(&s->rounds);
    enum status status = environment_begin(s->results, busy, s->failure);
    const bool begun = status == STATUS_OK;
    if (begun)
        status = own_rounds_run(&s->rounds, s->failure);
    s->summary->out_of_budget |= s->rounds.out_of_budget;
    s->summary->stop_signal = process_stop_signal();
    progress_end(&s->progress);
    const enum status ended = begun ? environment_end(s->results, s->failure) : STATUS_OK;
    struct failure later = {0};
    const bool failed = status != STATUS_OK || ended != STATUS_OK;
    const enum status cleaned = clean_up(s, failed ? &later : s->failure);
    return status != STATUS_OK ? status : ended != STATUS_OK ? ended : cleaned;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const struct own_point *point_of(const struct own_study *s, int64_t workers)
{
    for (size_t i = 0; i < s->count; i++)
        if (own_workers_count(&s->points[i].workers) == workers &&
            own_tally_launches(&s->points[i].used) > 0)
            return &s->points[i];
    return NULL;
}

/* Warns of a program that seems to ignore its number of threads. */
static void warn_of_ignored(const struct own_study *s, int64_t cores)
{
    const struct own_point *one = point_of(s, 1), *most = NULL;
    for (size_t i = 0; i < s->count; i++) {
        const struct own_point *p = &s->points[i];
        const int64_t workers = own_workers_count(&p->workers);
        if (own_tally_launches(&p->used) > 0 && p->workers.threads > 1 && workers <= cores &&
            (!most || workers > own_workers_count(&most->workers)))
            most = p;
    }
    if (one && most && !s->question->weak)
        own_tally_warn(s->title, most->workers.threads, &one->used, &most->used);
}

static enum status open_files(struct own_study *s)
{
    enum status status = record_writer_open(
        &s->samples, results_own_samples(s->results, s->name).text, NULL, s->failure);
    if (status == STATUS_OK)
        status = table_writer_open(&s->journal, journal_schema(),
                                   results_own_journal(s->results, s->name).text, NULL, s->failure);
    if (status == STATUS_OK)
        status = table_writer_open(&s->usage, &usage_schema,
                                   results_usage(s->results, s->name).text, NULL, s->failure);
    return status;
}

static enum status close_files(struct own_study *s)
{
    const enum status samples = record_writer_close(s->samples, s->failure);
    const enum status journal = table_writer_close(s->journal, s->failure);
    const enum status usage = table_writer_close(s->usage, s->failure);
    return samples != STATUS_OK ? samples : journal != STATUS_OK ? journal : usage;
}

static void print_start(struct own_start *start)
{
    double lower, upper;
    const double median = own_start_median(start, &lower, &upper);
    const int64_t workers = own_workers_count(&start->workers);
    char text[80];
    snprintf(text, sizeof text, "%.3g [%.3g, %.3g]", 1e3 * median, 1e3 * lower, 1e3 * upper);
    number_localize(screen_language(), text);
    if (start->count > 0)
        screen_say_plural(stdout, "start with nothing to do, %{n} worker: %{time} ms\n",
                          "start with nothing to do, %{n} workers: %{time} ms\n", (size_t)workers,
                          WITH({"time", text}));
}

/* Measures and prints the start of every worker count. */
static enum status measure_starts(struct own_study *s)
{
    struct own_start *starts = calloc(s->count + 1, sizeof *starts);
    const double timeout_s =
        s->question->timeout_s > 0.0 ? s->question->timeout_s : s->definition.time_limit_s;
    if (!starts)
        return fail(s->failure, STATUS_RESOURCE, "not enough memory for the starts");
    for (size_t i = 0; i < s->count; i++) {
        starts[i].workers = s->points[i].workers;
        starts[i].workers.size = 0;
    }
    const enum status status =
        own_start_measure(starts, s->count, &s->question->command, timeout_s, s->failure);
    for (size_t i = 0; i < s->count && status == STATUS_OK; i++)
        print_start(&starts[i]);
    free(starts);
    return status;
}

static enum status measure(struct own_study *s, int64_t cores)
{
    struct run_summary *sum = s->summary;
    enum status status = read_samples(s);
    if (status == STATUS_OK)
        status = journal_read_of(s->results, s->name, take_hash, s, s->failure);
    if (status == STATUS_OK)
        status = open_files(s);
    sum->planned = s->count * (size_t)s->definition.launches;
    sum->before = own_rounds_done(&s->rounds);
    s->progress = progress_begin(sum->planned - sum->before, 0.0);
    s->rounds.began = clock_now();
    if (status == STATUS_OK && (sum->before < sum->planned || s->question->budget_s > 0.0))
        status = run_rounds(s);
    const enum status closed = close_files(s);
    const size_t there = own_rounds_done(&s->rounds);
    sum->failed_in_all = sum->failed;
    sum->missing = sum->planned - there > sum->failed ? sum->planned - there - sum->failed : 0;
    if (status == STATUS_OK)
        warn_of_ignored(s, cores);
    if (status == STATUS_OK && s->question->overhead && !process_stop_signal())
        status = measure_starts(s);
    return status != STATUS_OK ? status : closed;
}

static enum status make_rounds(struct own_study *s)
{
    s->rounds = (struct own_rounds){.arms = calloc(s->count, sizeof *s->rounds.arms),
                                    .count = s->count,
                                    .planned = s->definition.launches,
                                    .budget_s = s->question->budget_s,
                                    .launch = launch,
                                    .context = s};
    if (!s->rounds.arms)
        return fail(s->failure, STATUS_RESOURCE, "not enough memory for a round");
    for (size_t i = 0; i < s->count; i++)
        s->rounds.arms[i] = &s->points[i].arm;
    return STATUS_OK;
}

static enum status make(struct own_study *s, int64_t cores)
{
    char file[OWN_NAME + 4];
    struct machine machine;
    machine_describe(&machine);
    snprintf(s->host, sizeof s->host, "%s", machine.host);
    own_question_title(s->question, s->title);
    own_command_identity(&s->question->command, s->identity);
    snprintf(file, sizeof file, "%s.ini", s->name);
    enum status status = definition_read(&s->definition, results_file(s->results, file).text,
                                         s->question->scale, cores, s->failure);
    if (status == STATUS_OK && s->definition.launches > OWN_ROUNDS_MOST)
        status = fail(s->failure, STATUS_USAGE, "--launches: at most %d", OWN_ROUNDS_MOST);
    if (status == STATUS_OK)
        status = make_points(s);
    return status == STATUS_OK ? make_rounds(s) : status;
}

enum status own_study_run(const struct own_question *q, const char *results, const char *name,
                          int64_t cores, struct run_summary *summary, struct failure *f)
{
    struct own_study s = {
        .question = q, .results = results, .name = name, .summary = summary, .failure = f};
    struct results_lock lock;
    *summary = (struct run_summary){0};
    enum status status = results_lock(results, "study speedup", &lock, f);
    if (status != STATUS_OK)
        return status;
    status = make(&s, cores);
    if (status == STATUS_OK)
        status = measure(&s, cores);
    for (size_t i = 0; i < s.count; i++)
        own_arm_release(&s.points[i].arm);
    free(s.points);
    free(s.rounds.arms);
    definition_release(&s.definition);
    results_unlock(&lock);
    return status;
}
