#include "experiments/run/runner.h"

#include "experiments/common/lock.h"
#include "experiments/common/process.h"
#include "experiments/common/progress.h"
#include "experiments/common/results.h"
#include "experiments/plan/command_line.h"
#include "experiments/run/environment.h"
#include "experiments/run/ledger.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"
#include "harness/base/clock.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A program finishes the sample at hand when it is asked to end. */
static const double grace_s = 10;

struct launch {
    size_t point;
    int64_t round;
};

struct runner {
    struct plan *plan;
    const struct run_settings *settings;
    struct run_summary *summary;
    struct ledger ledger;
    struct table_writer **journals; /* one of each definition */
    struct progress progress;
    double began;
    struct failure *failure;
};

/* ---- before any time is spent --------------------------------------------------------------- */

/* Opens what will be written: another kind of file, or a full disk, shows now. */
static enum status open_results(struct runner *r)
{
    for (size_t i = 0; i < r->plan->definition_count; i++) {
        const char *name = r->plan->definitions[i].name;
        struct results_path journal = results_journal(r->settings->results, name);
        struct results_path samples = results_samples(r->settings->results, name);
        struct record_writer *writer;
        enum status status =
            table_writer_open(&r->journals[i], journal_schema(), journal.text, NULL, r->failure);
        if (status == STATUS_OK)
            status = record_writer_open(&writer, samples.text, NULL, r->failure);
        if (status == STATUS_OK)
            status = record_writer_close(writer, r->failure);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status close_results(struct runner *r)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < r->plan->definition_count; i++) {
        enum status closed = table_writer_close(r->journals[i], r->failure);
        status = status == STATUS_OK ? closed : status;
    }
    return status;
}

/* ---- the journal ---------------------------------------------------------------------------- */

/* The tail of a program's output in one line: line breaks become " | ". */
static void flatten(char *to, size_t size, const char *from)
{
    const char *begin = from + strlen(from);
    size_t used = 0;
    while (begin > from && begin[-1] == '\n')
        begin--;
    const char *end = begin;
    for (size_t room = size - 1; begin > from; begin--) {
        size_t width = begin[-1] == '\n' ? 3 : 1;
        if (width > room)
            break;
        room -= width;
    }
    for (; begin < end; begin++) {
        if (*begin == '\n') {
            memcpy(to + used, " | ", 3);
            used += 3;
        } else {
            to[used++] = *begin;
        }
    }
    to[used] = '\0';
}

static struct journal_row journal_row(const struct runner *r, size_t point, const char *status)
{
    const struct planned *p = &r->plan->points[point];
    struct journal_row row = journal_blank();
    time_t now = time(NULL);
    struct tm utc;
    row.point = p->point;
    strftime(row.point.time_utc, sizeof row.point.time_utc, "%Y-%m-%dT%H:%M:%SZ",
             gmtime_r(&now, &utc));
    snprintf(row.scale, sizeof row.scale, "%s",
             scale_names[r->plan->definitions[p->definition].scale]);
    snprintf(row.status, sizeof row.status, "%s", status);
    return row;
}

static enum status journal(struct runner *r, size_t point, const struct journal_row *row)
{
    return table_append(r->journals[r->plan->points[point].definition], row, r->failure);
}

/* Points that are left out are listed once, with the reason. */
static enum status journal_skipped(struct runner *r)
{
    for (size_t i = 0; i < r->plan->count; i++) {
        if (!r->plan->points[i].skip)
            continue;
        r->summary->skipped++;
        if (r->ledger.points[i].skip_told)
            continue;
        struct journal_row row = journal_row(r, i, "skipped");
        snprintf(row.reason, sizeof row.reason, "%s", r->plan->points[i].skip);
        enum status status = journal(r, i, &row);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* ---- one launch ----------------------------------------------------------------------------- */

static enum status make_command(const struct runner *r, const struct launch *l, const char *samples,
                                struct command_line *line)
{
    const struct planned *p = &r->plan->points[l->point];
    struct record point = p->point;
    struct results_path hosts = {""};
    point.round = l->round;
    if (p->simulated)
        hosts = simulated_hosts(r->settings->results, &p->simulated->platform);
    const struct command_request request = {
        .point = &point,
        .sampling = &r->plan->definitions[p->definition].sampling,
        .bin = r->plan->settings.bin,
        .launcher = plan_launcher(r->plan, p),
        .cores = r->plan->settings.cores,
        .record = samples,
        .simulated = p->simulated,
        .hosts = hosts.text,
    };
    return command_line_make(line, &request, r->failure);
}

/* Ended from outside, as when a batch system cancels a job and the study is still to hear of it: by
 * the signal itself, or by a launcher that tells it of its ranks. */
static bool was_cancelled(const struct process_result *result)
{
    const int signals[] = {SIGTERM, SIGINT};
    bool cancelled = false;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        cancelled = cancelled || (result->end == PROCESS_KILLED && result->signal == signals[i]) ||
                    (result->end == PROCESS_EXITED && result->exit_status == 128 + signals[i]);
    return cancelled;
}

/* What became of a launch: a status for the journal and why. */
static const char *judge(const struct process_result *result, const struct launch_rows *seen,
                         char *reason, size_t size)
{
    reason[0] = '\0';
    if (was_cancelled(result) && !seen->wrong) {
        snprintf(reason, size, "ended from outside");
        return "interrupted";
    }
    switch (result->end) {
    case PROCESS_STOPPED:
        snprintf(reason, size, "asked to stop");
        return seen->finished ? "done" : "interrupted";
    case PROCESS_TIMED_OUT:
        snprintf(reason, size, "not done within its time limit, after %.1f s", result->seconds);
        return "timeout";
    case PROCESS_NOT_STARTED:
        snprintf(reason, size, "could not be started");
        return "failed";
    case PROCESS_KILLED:
        snprintf(reason, size, "ended by signal %d (%s)", result->signal,
                 strsignal(result->signal));
        return "failed";
    case PROCESS_EXITED:
        break;
    }
    if (seen->wrong || result->exit_status == STATUS_WRONG) {
        snprintf(reason, size, "a result was wrong");
        return "failed";
    }
    if (result->exit_status == STATUS_OUTPUT) { /* no fault of the point's: it is run again */
        snprintf(reason, size, "its samples could not be written");
        return "interrupted";
    }
    if (result->exit_status == STATUS_UNAVAILABLE || result->exit_status == STATUS_RESOURCE) {
        snprintf(reason, size, "the program cannot run it here: %.500s", result->output);
        return "skipped";
    }
    if (result->exit_status != 0)
        snprintf(reason, size, "exit status %d", result->exit_status);
    else if (seen->rows == 0)
        snprintf(reason, size, "exit status 0, but no samples of this point were recorded");
    else if (!seen->finished)
        snprintf(reason, size, "exit status 0, but its last sample is missing");
    return reason[0] ? "failed" : "done";
}

static void count_launch(struct runner *r, const struct launch *l, const char *status, bool extra)
{
    if (strcmp(status, "done") == 0) {
        r->summary->done++;
        r->summary->extra += extra;
    } else if (strcmp(status, "interrupted") != 0) {
        r->summary->failed += strcmp(status, "skipped") != 0;
        ledger_set(&r->ledger, l->point, l->round, LAUNCH_FAILED);
    }
}

static enum status journal_launch(struct runner *r, const struct launch *l, const char *status,
                                  const char *reason, const struct command_line *line,
                                  const struct process_result *result)
{
    struct journal_row row = journal_row(r, l->point, status);
    char *text = command_line_text(line);
    row.point.round = l->round;
    snprintf(row.reason, sizeof row.reason, "%s", reason);
    snprintf(row.command, sizeof row.command, "%s", text ? text : "");
    free(text);
    if (result->exit_status >= 0)
        row.exit_status = result->exit_status;
    if (result->signal > 0)
        row.signal = result->signal;
    row.seconds = result->seconds;
    if (strcmp(status, "done") != 0)
        flatten(row.output, sizeof row.output, result->output);
    return journal(r, l->point, &row);
}

static int64_t file_size(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (int64_t)about.st_size : 0;
}

static struct process_limits limits_of(const struct runner *r, const struct planned *p)
{
    double own = r->plan->definitions[p->definition].time_limit_s;
    bool plain = strcmp(plan_launcher(r->plan, p), "plain") == 0;
    /* a launcher is asked, so that it can end its ranks; a program needs no farewell */
    return (struct process_limits){
        .seconds = r->settings->time_limit_s > 0 ? r->settings->time_limit_s : own,
        .grace_seconds = grace_s,
        .death_signal = plain ? SIGKILL : SIGTERM,
    };
}

/* Status 5 of a program means that nothing more can be written: the run ends, nothing is lost. */
static enum status check_disk(const struct runner *r, const struct process_result *result)
{
    if (result->end != PROCESS_EXITED || result->exit_status != STATUS_OUTPUT)
        return STATUS_OK;
    return fail(r->failure, STATUS_OUTPUT, "samples can no longer be written: %.600s",
                result->output);
}

static enum status launch(struct runner *r, const struct launch *l, bool extra)
{
    const struct planned *p = &r->plan->points[l->point];
    struct results_path samples = results_samples(r->settings->results, p->point.experiment);
    const struct process_limits limits = limits_of(r, p);
    struct command_line line;
    struct process_result result;
    struct launch_rows seen;
    char label[256], what[RECORD_TEXT + 256], reason[JOURNAL_TEXT];
    point_label(&p->point, label, sizeof label);
    snprintf(what, sizeof what, "%s %s", p->point.experiment, label);
    progress_show(&r->progress, what);
    int64_t offset = file_size(samples.text);
    enum status status = make_command(r, l, samples.text, &line);
    if (status != STATUS_OK)
        return status;
    status = process_run(line.words, &limits, &result, r->failure);
    if (status == STATUS_OK)
        status =
            ledger_take(&r->ledger, l->point, l->round, samples.text, offset, &seen, r->failure);
    if (status == STATUS_OK) {
        const char *outcome = judge(&result, &seen, reason, sizeof reason);
        r->summary->wrong = r->summary->wrong || seen.wrong;
        count_launch(r, l, outcome, extra);
        status = journal_launch(r, l, outcome, reason, &line, &result);
    }
    command_line_release(&line);
    progress_advance(&r->progress, p->estimate_s);
    r->plan->points[l->point].estimate_s = result.seconds; /* better than any guess */
    return status == STATUS_OK ? check_disk(r, &result) : status;
}

/* ---- rounds --------------------------------------------------------------------------------- */

static double budget_left(const struct runner *r)
{
    if (!(r->settings->budget_s > 0))
        return (double)INFINITY;
    return r->settings->budget_s - (clock_now() - r->began);
}

/* A point that failed once is left alone until it is asked to be tried again. */
static bool is_missing(const struct runner *r, size_t point, int64_t round)
{
    const struct planned *p = &r->plan->points[point];
    return !p->skip && round < plan_launches(r->plan, p) &&
           r->ledger.points[point].failed_round < 0 &&
           ledger_state(&r->ledger, point, round) == LAUNCH_MISSING;
}

static bool must_stop(struct runner *r)
{
    r->summary->stop_signal = process_stop_signal();
    return r->summary->stop_signal != 0;
}

static enum status run_round(struct runner *r, size_t *order, int64_t round)
{
    plan_order(r->plan, r->settings->seed, round, order);
    for (size_t i = 0; i < r->plan->count; i++) {
        const struct launch l = {order[i], round};
        if (!is_missing(r, l.point, round))
            continue;
        if (r->plan->points[l.point].estimate_s > budget_left(r)) {
            r->summary->out_of_budget = true; /* a shorter one may still fit */
            continue;
        }
        enum status status = must_stop(r) ? STATUS_OK : launch(r, &l, false);
        if (status != STATUS_OK || must_stop(r))
            return status;
    }
    return STATUS_OK;
}

/* The point with the widest interval that a launch still fits for; false where all are narrow
 * enough or nothing fits. */
static bool widest(const struct runner *r, struct launch *l)
{
    double width = 0;
    bool found = false;
    for (size_t i = 0; i < r->plan->count; i++) {
        const struct planned *p = &r->plan->points[i];
        const struct definition *d = &r->plan->definitions[p->definition];
        double own = p->skip ? 0 : ledger_width(&r->ledger, i);
        if (p->skip || p->simulated || r->ledger.points[i].failed_round >= 0 ||
            p->estimate_s > budget_left(r) || own <= d->sampling.relative_ci || own <= width)
            continue;
        int64_t round = d->launches;
        while (ledger_state(&r->ledger, i, round) != LAUNCH_MISSING)
            round++;
        *l = (struct launch){i, round};
        width = own;
        found = true;
    }
    return found;
}

static enum status spend_budget(struct runner *r)
{
    struct launch l;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && !must_stop(r) && widest(r, &l))
        status = launch(r, &l, true);
    return status;
}

static enum status run_rounds(struct runner *r)
{
    size_t *order = malloc((r->plan->count + 1) * sizeof *order);
    if (!order)
        return fail(r->failure, STATUS_RESOURCE, "not enough memory for the order of points");
    enum status status = STATUS_OK;
    int64_t rounds = plan_rounds(r->plan);
    for (int64_t round = 0; round < rounds && status == STATUS_OK && !must_stop(r); round++)
        status = run_round(r, order, round);
    free(order);
    if (status == STATUS_OK && !must_stop(r) && r->settings->budget_s > 0)
        status = spend_budget(r);
    return status;
}

/* Counts the launches of the plan and begins the progress line. */
static void count_plan(struct runner *r)
{
    size_t missing = 0;
    double left_s = 0;
    for (size_t i = 0; i < r->plan->count; i++) {
        const struct planned *p = &r->plan->points[i];
        int64_t launches = p->skip ? 0 : plan_launches(r->plan, p);
        r->summary->planned += (size_t)launches;
        for (int64_t round = 0; round < launches; round++)
            if (is_missing(r, i, round)) {
                missing++;
                left_s += p->estimate_s;
            }
    }
    r->summary->before = r->summary->planned - missing;
    r->progress = progress_begin(missing, left_s);
}

static enum status run_ready(struct runner *r)
{
    enum status status = open_results(r);
    if (status == STATUS_OK)
        status = environment_write(r->settings->results, r->failure);
    if (status == STATUS_OK)
        status = ledger_read(&r->ledger, r->plan, r->settings->results, r->settings->retry_failed,
                             r->failure);
    if (status == STATUS_OK) {
        count_plan(r);
        status = journal_skipped(r);
        if (status == STATUS_OK)
            status = run_rounds(r);
        progress_end(&r->progress);
        ledger_release(&r->ledger);
    }
    enum status closed = close_results(r);
    return status == STATUS_OK ? closed : status;
}

/* Open MPI does not start as root unless told so: in a container that is who runs it. */
static void allow_root(void)
{
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
}

enum status run_plan(struct plan *plan, const struct run_settings *settings,
                     struct run_summary *summary, struct failure *f)
{
    *summary = (struct run_summary){0};
    struct runner r = {.plan = plan, .settings = settings, .summary = summary, .failure = f};
    struct results_lock lock;
    r.began = clock_now();
    enum status status = results_make(settings->results, f);
    if (status == STATUS_OK)
        status = results_lock(settings->results, "study run", &lock, f);
    if (status != STATUS_OK)
        return status;
    r.journals = calloc(plan->definition_count + 1, sizeof(struct table_writer *));
    if (r.journals) {
        allow_root();
        status = run_ready(&r);
    } else {
        status = fail(f, STATUS_RESOURCE, "not enough memory for the journals");
    }
    free(r.journals);
    results_unlock(&lock);
    return status;
}
