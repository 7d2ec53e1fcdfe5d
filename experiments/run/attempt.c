/* One process of a run: makes its command, classifies its outcome, and adds its rows to the samples
 * of the folder. */
#include "experiments/plan/command_line.h"
#include "experiments/plan/cost.h"
#include "experiments/program/launch/own_words.h"
#include "experiments/run/outcome.h"
#include "experiments/run/own_attempt.h"
#include "experiments/run/run.h"
#include "experiments/samples/point.h"
#include "harness/base/clock.h"
#include "harness/base/text/fit.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A program that receives SIGTERM finishes its current sample within this time. */
static const double grace_s = 10;

enum { TRIES = 3 }; /* attempts at a launch that signals kill */

/* A process that has run. */
struct attempt {
    struct command_line line;
    struct process_result result;
    struct samples fresh;         /* samples that it recorded */
    const struct own_launch *own; /* of a program of another, which says itself what came of it;
                                   * NULL: of ours */
};

/* What to do about points for which a process did not record all samples. */
enum remedy { REMEDY_NONE, REMEDY_APART, REMEDY_AGAIN };

/* ---- the journal ---------------------------------------------------------------------------- */

/* Writes the tail of a program's output as one line: line breaks become " | ". */
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

static struct journal_row journal_row(const struct run *r, size_t point, const char *status)
{
    const struct planned *p = &r->plan->points[point];
    struct journal_row row = journal_blank();
    row.point = p->point;
    if (r->ledger.points[point].set > 1) {
        row.point.set = r->ledger.points[point].set;
        row.point.set_launches = r->ledger.points[point].set_launches;
    }
    clock_utc(row.point.time_utc, sizeof row.point.time_utc);
    snprintf(row.scale, sizeof row.scale, "%s",
             scale_names[r->plan->definitions[p->definition].scale]);
    snprintf(row.status, sizeof row.status, "%s", status);
    return row;
}

enum status journal_left_out(struct run *r, size_t point)
{
    struct journal_row row = journal_row(r, point, "skipped");
    text_fit(row.reason, sizeof row.reason, r->plan->points[point].skip);
    return table_append(r->journal, &row, r->failure);
}

enum status journal_again(struct run *r, size_t point)
{
    struct journal_row row = journal_row(r, point, "again");
    text_fit(row.reason, sizeof row.reason,
             "measured afresh: its launches replace the earlier "
             "ones once all are done");
    return table_append(r->journal, &row, r->failure);
}

enum status journal_adoption(struct run *r, size_t point, int64_t round, const char *why)
{
    struct journal_row row = journal_row(r, point, "done");
    row.point.round = round;
    text_fit(row.reason, sizeof row.reason, why);
    return table_append(r->journal, &row, r->failure);
}

/* Number of points of a task that are measured, each method once. */
static size_t methods_of(const struct run *r, const struct task *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++)
        n += !plan_repeats(r->plan, t->points, i);
    return n;
}

static enum status journal_launch(struct run *r, const struct task *t, size_t point,
                                  const struct attempt *a, const char *status, const char *reason)
{
    struct journal_row row = journal_row(r, point, status);
    char *text = command_line_text(&a->line);
    row.point.round = t->round;
    text_fit(row.reason, sizeof row.reason, reason);
    text_fit(row.command, sizeof row.command, text ? text : "");
    free(text);
    if (a->result.exit_status >= 0)
        row.exit_status = a->result.exit_status;
    if (a->result.signal > 0)
        row.signal = a->result.signal;
    row.seconds = a->result.seconds / (double)methods_of(r, t);
    if (strcmp(status, "done") != 0)
        flatten(row.output, sizeof row.output, a->result.output);
    return table_append(r->journal, &row, r->failure);
}

/* ---- the process ---------------------------------------------------------------------------- */

static enum status make_command(const struct run *r, const struct task *t, const char *samples,
                                struct command_line *line)
{
    const struct planned *p = &r->plan->points[t->points[0]];
    struct sampling sampling = plan_sampling(r->plan, t->points, t->count);
    struct record point = p->point;
    struct results_path hosts = {""};
    char *methods = plan_methods(r->plan, t->points, t->count);
    if (!methods)
        return fail(r->failure, STATUS_RESOURCE, "not enough memory for a command line");
    point.round = t->round;
    if (p->simulated)
        hosts = simulated_hosts(r->settings->results, &p->simulated->platform);
    const char *clocked = plan_layers(r->plan, t->points, t->count);
    const struct results_path layers = results_layers(r->settings->results, clocked ? clocked : "");
    const char *trained = plan_training(r->plan, t->points, t->count);
    const struct results_path training =
        results_training(r->settings->results, trained ? trained : "");
    const char *watched = plan_timeline(r->plan, t->points, t->count);
    const struct results_path timeline =
        results_timeline(r->settings->results, watched ? watched : "");
    const struct command_request request = {
        .point = &point,
        .methods = methods,
        .sampling = &sampling,
        .bin = r->plan->settings.bin,
        .simulated_bin = r->plan->settings.simulated_bin,
        .launcher = plan_launcher(r->plan, p),
        .cores = r->plan->settings.cores,
        .here = r->plan->settings.here,
        .record = samples,
        .layers = clocked ? layers.text : NULL,
        .training = trained ? training.text : NULL,
        .timeline = watched ? timeline.text : NULL,
        .simulated = p->simulated,
        .hosts = hosts.text,
    };
    enum status status = command_line_make(line, &request, r->failure);
    free(methods);
    return status;
}

static struct process_limits limits_of(const struct run *r, const struct task *t)
{
    const struct planned *p = &r->plan->points[t->points[0]];
    double own = r->plan->definitions[p->definition].time_limit_s;
    bool plain = strcmp(plan_launcher(r->plan, p), "plain") == 0;
    double each = r->settings->time_limit_s > 0 ? r->settings->time_limit_s : own;
    /* a launcher is asked, so that it can end its ranks; a program can be killed at once */
    return (struct process_limits){
        .seconds = each * (double)methods_of(r, t),
        .grace_seconds = grace_s,
        .death_signal = plain ? SIGKILL : SIGTERM,
    };
}

/* Seconds spent in the samples of a process. */
static double measuring_s(const struct samples *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->sample_count; i++)
        sum += s->samples[i].seconds[PHASE_TOTAL] > 0 ? s->samples[i].seconds[PHASE_TOTAL] : 0;
    return sum;
}

static bool is_own(const struct run *r, const struct task *t)
{
    return plan_sweep(r->plan, &r->plan->points[t->points[0]])->own.words != NULL;
}

/* Launches a program of another; its samples are recorded here. */
static enum status own_run(struct run *r, const struct task *t, struct attempt *a,
                           struct own_launch *own)
{
    const struct results_path samples = sample_store_under_way(r->settings->results);
    *a = (struct attempt){.own = own};
    unlink(samples.text);
    enum status status = own_attempt_run(own, r, t, samples.text);
    a->result = own->process;
    a->line.words = own_attempt_words(r, t);
    a->line.count = own_words_number(a->line.words);
    if (status == STATUS_OK && table_is_begun(samples.text))
        status = samples_read(&a->fresh, samples.text, r->failure);
    return status;
}

/* Runs the process and reads what it recorded; a file that is no table counts as empty. */
static enum status attempt_run(struct run *r, const struct task *t, struct attempt *a,
                               struct own_launch *own)
{
    struct results_path samples = sample_store_under_way(r->settings->results);
    const struct process_limits limits = limits_of(r, t);
    if (is_own(r, t))
        return own_run(r, t, a, own);
    *a = (struct attempt){0};
    enum status status = make_command(r, t, samples.text, &a->line);
    if (status != STATUS_OK)
        return status;
    unlink(samples.text); /* its rows are already copied */
    status = process_run(a->line.words, &limits, &a->result, r->failure);
    if (status != STATUS_OK || !table_is_begun(samples.text))
        return status;
    if (samples_read(&a->fresh, samples.text, NULL) == STATUS_OK)
        starts_take(&r->starts, r->plan, plan_launcher(r->plan, &r->plan->points[t->points[0]]),
                    a->result.seconds, measuring_s(&a->fresh));
    return STATUS_OK;
}

static void attempt_release(struct attempt *a)
{
    command_line_release(&a->line);
    samples_release(&a->fresh);
}

/* ---- outcomes -------------------------------------------------------------------------------- */

static enum remedy remedy_of(const struct run *r, const struct task *t, const struct attempt *a,
                             size_t tries)
{
    if (a->result.end == PROCESS_STOPPED || process_stop_signal() != 0 ||
        a->result.end == PROCESS_NOT_STARTED || a->own)
        return REMEDY_NONE;
    if (methods_of(r, t) > 1)
        return REMEDY_APART;
    return outcome_killed(&a->result) && tries < TRIES ? REMEDY_AGAIN : REMEDY_NONE;
}

static void count_launch(struct run *r, size_t point, const struct task *t, const char *status)
{
    if (strcmp(status, "done") == 0) {
        r->summary->done++;
        r->summary->extra += t->extra;
    } else if (strcmp(status, "skipped") == 0) {
        r->summary->skipped++;
        r->ledger.points[point].refused = true;
    } else if (strcmp(status, "interrupted") != 0) {
        r->summary->failed++;
        ledger_set(&r->ledger, point, t->round, LAUNCH_FAILED);
    }
}

/* Whether the process is our program itself, measuring one point. */
static bool is_direct(const struct run *r, const struct task *t, const struct attempt *a)
{
    return !a->own && methods_of(r, t) == 1 &&
           strcmp(plan_launcher(r->plan, &r->plan->points[t->points[0]]), "plain") == 0;
}

/* Classifies one point of a process and journals it; *open: the remedy applies to it. */
static enum status settle(struct run *r, const struct task *t, size_t point,
                          const struct attempt *a, enum remedy remedy, bool *open)
{
    static const char *const what_next[] = {"", "; to be measured by itself", "; run again"};
    char why[JOURNAL_TEXT], reason[JOURNAL_TEXT + 40];
    const struct launch *launch;
    struct launch_rows seen =
        outcome_rows(&a->fresh, &r->plan->points[point].point, t->round, &launch);
    seen.wrong = outcome_wrong(&a->result, &seen, is_direct(r, t, a));
    const char *outcome = outcome_classify(&a->result, &seen, why);
    if (a->own && (launch || a->own->end != OWN_DONE)) {
        outcome = own_end_words[a->own->end];
        snprintf(why, sizeof why, "%s", a->own->reason);
    }
    *open = remedy != REMEDY_NONE && !seen.wrong && strcmp(outcome, "done") != 0;
    snprintf(reason, sizeof reason, "%s%s", why, *open ? what_next[remedy] : "");
    r->summary->wrong = r->summary->wrong || seen.wrong;
    if (*open)
        outcome = "interrupted";
    if (strcmp(outcome, "done") == 0) {
        ledger_take(&r->ledger, point, &a->fresh, launch);
        cost_learn(&r->plan->points[point], a->result.seconds / (double)methods_of(r, t));
        if (t->extra)
            snprintf(reason, sizeof reason, "%s", journal_further);
    }
    count_launch(r, point, t, outcome);
    return journal_launch(r, t, point, a, outcome, reason);
}

/* Classifies every point of the task; collects in `left` those to which the remedy applies. */
static enum status settle_all(struct run *r, const struct task *t, const struct attempt *a,
                              enum remedy remedy, struct task *left)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < t->count && status == STATUS_OK; i++) {
        bool open;
        status = settle(r, t, t->points[i], a, remedy, &open);
        if (open)
            left->points[left->count++] = t->points[i];
    }
    return status;
}

/* Status 5 of a program means that nothing more can be written: the run ends without losing
 * anything. */
static enum status check_disk(const struct run *r, const struct process_result *result)
{
    if (result->end != PROCESS_EXITED || result->exit_status != STATUS_OUTPUT)
        return STATUS_OK;
    return fail(r->failure, STATUS_OUTPUT, "samples can no longer be written: %s", result->output);
}

static enum status attempt(struct run *r, const struct task *t, size_t tries, enum remedy *remedy,
                           struct task *left)
{
    struct attempt a;
    struct own_launch own = {.command = NULL};
    enum status status = attempt_run(r, t, &a, &own);
    if (status == STATUS_OK && a.fresh.launch_count > 0)
        status = sample_store_take(&r->store, &r->ledger, t->points, t->count, r->failure);
    *remedy = remedy_of(r, t, &a, tries);
    if (status == STATUS_OK)
        status = settle_all(r, t, &a, *remedy, left);
    if (status == STATUS_OK && !a.own)
        status = check_disk(r, &a.result);
    own_launch_release(&own);
    attempt_release(&a);
    return status;
}

/* Runs one method of a task alone, until it is measured or has failed. */
static enum status run_alone(struct run *r, struct task *t)
{
    enum remedy remedy = REMEDY_AGAIN;
    enum status status = STATUS_OK;
    for (size_t tries = 1; t->count > 0 && remedy == REMEDY_AGAIN && status == STATUS_OK; tries++) {
        struct task left = {t->points, 0, t->round, t->extra};
        status = attempt(r, t, tries, &remedy, &left);
        t->count = left.count;
    }
    return status;
}

/* Runs what a process of several methods did not finish, method by method, so that one that cannot
 * run or fails does not affect the others. */
static enum status run_apart(struct run *r, struct task *all)
{
    enum status status = STATUS_OK;
    size_t begin = 0;
    while (begin < all->count && status == STATUS_OK && process_stop_signal() == 0) {
        size_t end = begin + 1;
        const char *method = r->plan->points[all->points[begin]].point.method;
        for (size_t i = end; i < all->count; i++) {
            size_t point = all->points[i];
            if (strcmp(r->plan->points[point].point.method, method) != 0)
                continue;
            all->points[i] = all->points[end];
            all->points[end++] = point;
        }
        struct task one = {all->points + begin, end - begin, all->round, all->extra};
        status = run_alone(r, &one);
        begin = end;
    }
    return status;
}

enum status task_run(struct run *r, const struct task *task)
{
    enum remedy remedy;
    struct task left = {malloc((task->count + 1) * sizeof *left.points), 0, task->round,
                        task->extra};
    if (!left.points)
        return fail(r->failure, STATUS_RESOURCE, "not enough memory for a launch");
    if (methods_of(r, task) == 1) {
        memcpy(left.points, task->points, task->count * sizeof *left.points);
        left.count = task->count;
        remedy = REMEDY_APART;
    } else {
        enum status status = attempt(r, task, 1, &remedy, &left);
        if (status != STATUS_OK || left.count == 0) {
            free(left.points);
            return status;
        }
    }
    enum status status = run_apart(r, &left);
    free(left.points);
    return status;
}
