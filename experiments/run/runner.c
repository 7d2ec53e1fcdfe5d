#include "experiments/run/runner.h"

#include "experiments/common/lock.h"
#include "experiments/common/process.h"
#include "experiments/plan/simulated.h"
#include "experiments/run/environment.h"
#include "experiments/run/own_attempt.h"
#include "experiments/run/quiet.h"
#include "experiments/run/run.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"
#include "harness/base/clock.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/screen.h"

#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the environment of Open MPI ------------------------------------------------------------- */

/* Whether there is a fabric that Open MPI's message transfer layers support, according to Linux:
 * InfiniBand, RoCE and Omni-Path; Slingshot; InfiniPath. */
static bool has_fabric(void)
{
    static const char *const places[] = {"/sys/class/infiniband/*", "/dev/hfi1*",
                                         "/sys/class/cxi/*", "/dev/ipath*"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        glob_t found;
        const int missing = glob(places[i], GLOB_NOSORT, NULL, &found);
        if (missing == 0)
            globfree(&found);
        if (missing != GLOB_NOMATCH)
            return true;
    }
    return false;
}

/* Sets environment variables for child processes, each only if the user has not set it. */
static void open_mpi_prepare(void)
{
    /* Open MPI refuses to start as root unless told to; in a container the user is root */
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    /* every rank would wait 0.2 s for fabrics that do not exist; messages within a computer and
     * over TCP never use this layer */
    if (!has_fabric())
        setenv("OMPI_MCA_mtl", "^ofi,psm,psm2", 0);
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Most launches of a point, as a multiple of its planned ones. */
enum { MOST_TIMES = 3 };

/* Most of a budget that is spent waiting until other programs are quiet. */
static const double wait_share = 0.1;

/* No process takes less time than this, whatever its estimate. */
static const double least_task_s = 0.005;

/* ---- preparation ----------------------------------------------------------------------------- */

/* Opens the files to be written, so that a file of another kind or a full disk shows at once. */
static enum status open_results(struct run *r)
{
    const enum status status = sample_store_open(&r->store, r->settings->results, r->failure);
    return status == STATUS_OK ? journal_open(&r->journal, r->settings->results, r->failure)
                               : status;
}

static enum status close_results(struct run *r)
{
    const enum status status = sample_store_close(&r->store, r->failure),
                      closed = table_writer_close(r->journal, r->failure);
    return status == STATUS_OK ? closed : status;
}

/* Journals points that are left out once, with the reason. */
static enum status journal_skipped(struct run *r)
{
    for (size_t i = 0; i < r->plan->count; i++) {
        r->summary->skipped += r->plan->points[i].skip || r->ledger.points[i].refused;
        if (!r->plan->points[i].skip)
            continue;
        if (r->ledger.points[i].skip_reported)
            continue;
        enum status status = journal_left_out(r, i);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* ---- tasks ---------------------------------------------------------------------------------- */

/* Whether a launch is missing. A point that failed once is not tried again until the user requests
 * it. */
static bool is_missing(const struct run *r, size_t point, int64_t round)
{
    const struct planned *p = &r->plan->points[point];
    return !p->skip && round < plan_launches(r->plan, p) &&
           (!r->only_again || ledger_set_is_open(&r->ledger, point)) &&
           r->ledger.points[point].failed_round < 0 && !r->ledger.points[point].refused &&
           ledger_state(&r->ledger, point, round) == LAUNCH_MISSING;
}

/* Returns the missing points of a group in a round; `points` has space for the whole group. */
static struct task missing_of(const struct run *r, size_t group, int64_t round, size_t *points)
{
    const struct group *g = &r->plan->groups[group];
    struct task t = {points, 0, round, false};
    for (size_t i = 0; i < g->count; i++)
        if (is_missing(r, g->points[i], round))
            t.points[t.count++] = g->points[i];
    return t;
}

static double task_seconds(const struct run *r, const struct task *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->count; i++)
        if (!plan_repeats(r->plan, t->points, i))
            sum += r->plan->points[t->points[i]].estimate_s;
    return sum;
}

/* Processes and seconds that the missing launches will take. */
static double seconds_left(const struct run *r, size_t *points, size_t *processes)
{
    double sum = 0;
    *processes = 0;
    for (int64_t round = 0; round < plan_rounds(r->plan); round++)
        for (size_t g = 0; g < r->plan->group_count; g++) {
            struct task t = missing_of(r, g, round, points);
            *processes += t.count > 0;
            sum += task_seconds(r, &t);
        }
    return sum;
}

/* Seconds until the run ends, for the progress line. */
static double run_remaining(const struct run *r, double planned_s)
{
    const struct run_settings *s = r->settings;
    return remaining_seconds(&r->estimate_error, planned_s, clock_now() - r->began, s->budget_s,
                             s->further_until_s);
}

static double budget_left(const struct run *r, double budget_s)
{
    return budget_s > 0 ? budget_s - (clock_now() - r->began) : (double)INFINITY;
}

/* Records the environment before the first task: a run that measures nothing does not change it. */
static enum status begin_measuring(struct run *r)
{
    if (r->measuring)
        return STATUS_OK;
    r->measuring = true;
    const double budget_s = r->settings->budget_s;
    progress_end(&r->progress);
    const double busy = quiet_wait(budget_s > 0 ? wait_share * budget_s : (double)INFINITY);
    enum status status = environment_begin(r->settings->results, busy, r->failure);
    if (status == STATUS_OK)
        status = limit_visits_begin(&r->limits, r->plan, r->settings->results, r->failure);
    return status;
}

/* At the start of a round the limits of the machine are visited, beside no point. */
static enum status begin_round(struct run *r, int64_t round)
{
    if (round == r->round)
        return STATUS_OK;
    r->round = round;
    return limit_visits_take(&r->limits, budget_left(r, r->settings->budget_s), r->failure);
}

static enum status run_task(struct run *r, const struct task *t)
{
    const struct planned *p = &r->plan->points[t->points[0]];
    char label[256], what[RECORD_TEXT + 340], count[24], more[80] = "";
    point_label(&p->point, label, sizeof label);
    snprintf(count, sizeof count, "%zu", t->count - 1);
    if (t->count > 1)
        message_format(more, sizeof more, screen_language(), " and %{count} more",
                       WITH({"count", count}));
    snprintf(what, sizeof what, "%s %s%s", p->point.experiment, label, more);
    progress_show(&r->progress, what);
    enum status status = begin_measuring(r);
    if (status == STATUS_OK)
        status = begin_round(r, t->round);
    const double estimated_s = task_seconds(r, t), began = clock_now();
    if (status == STATUS_OK)
        status = task_run(r, t);
    estimate_error_add(&r->estimate_error, estimated_s, clock_now() - began);
    size_t processes;
    const double left_s = run_remaining(r, seconds_left(r, r->scratch, &processes));
    if (t->extra) /* not part of the initial count */
        r->progress.count++;
    progress_advance(&r->progress, r->progress.left_s - left_s);
    return status;
}

/* ---- rounds --------------------------------------------------------------------------------- */

static bool must_stop(struct run *r)
{
    r->summary->stop_signal = process_stop_signal();
    return r->summary->stop_signal != 0;
}

static enum status run_round(struct run *r, size_t *order, size_t *points, int64_t round)
{
    plan_order(r->plan, r->settings->seed, round, order);
    for (size_t i = 0; i < r->plan->group_count; i++) {
        const struct task t = missing_of(r, order[i], round, points);
        if (t.count == 0)
            continue;
        if (task_seconds(r, &t) > budget_left(r, r->settings->budget_s)) {
            r->summary->out_of_budget = true; /* a shorter one may still fit */
            continue;
        }
        enum status status = must_stop(r) ? STATUS_OK : run_task(r, &t);
        if (status != STATUS_OK || must_stop(r))
            return status;
    }
    return STATUS_OK;
}

/* ---- further rounds ------------------------------------------------------------------------- */

/* Only time determines their number, before the first of them begins. A run that inspected the
 * intervals and stopped at a narrow one would stop by luck too often; the median would then be
 * outside the interval more often than promised (docs/statistics.md). */

/* True for a point that a further round measures again. Whole groups take part, so that compared
 * methods have the same rounds. */
static bool takes_part(const struct run *r, size_t point)
{
    const struct planned *p = &r->plan->points[point];
    const struct ledger_point *seen = &r->ledger.points[point];
    const int64_t launches = r->plan->definitions[p->definition].launches;
    return !p->skip && !p->simulated && seen->failed_round < 0 && !seen->refused &&
           seen->count < (size_t)(MOST_TIMES * launches);
}

static bool is_headline(const struct run *r, const struct group *g)
{
    for (size_t i = 0; i < g->count; i++)
        if (r->plan->definitions[r->plan->points[g->points[i]].definition].headline > 0)
            return true;
    return false;
}

/* Returns the task of a group in a further round. Headline groups have one if `headlines`, other
 * groups if not. */
static struct task further_of(const struct run *r, size_t group, bool headlines, int64_t round,
                              size_t *points)
{
    const struct group *g = &r->plan->groups[group];
    struct task t = {points, 0, round, true};
    for (size_t i = 0; i < g->count && is_headline(r, g) == headlines; i++)
        if (takes_part(r, g->points[i]))
            t.points[t.count++] = g->points[i];
    return t;
}

/* Seconds that one further round will take; 0 if no point takes part. */
static double further_seconds(const struct run *r, bool headlines, size_t *points)
{
    double sum = 0;
    for (size_t g = 0; g < r->plan->group_count; g++) {
        const struct task t = further_of(r, g, headlines, 0, points);
        sum += t.count ? fmax(task_seconds(r, &t), least_task_s) : 0;
    }
    return sum * estimate_error_ratio(&r->estimate_error);
}

/* Returns the first round beyond the plan that no point has. */
static int64_t first_further(const struct run *r)
{
    int64_t first = plan_rounds(r->plan);
    for (size_t i = 0; i < r->plan->count; i++)
        for (int64_t round = r->ledger.points[i].rounds - 1; round >= first; round--)
            if (ledger_state(&r->ledger, i, round) != LAUNCH_MISSING)
                first = round + 1;
    return first;
}

static enum status run_further_round(struct run *r, double budget_s, bool headlines, int64_t round,
                                     size_t *order, size_t *points)
{
    enum status status = STATUS_OK;
    plan_order(r->plan, r->settings->seed, round, order);
    for (size_t i = 0; i < r->plan->group_count && status == STATUS_OK && !must_stop(r); i++) {
        const struct task t = further_of(r, order[i], headlines, round, points);
        if (t.count > 0 && task_seconds(r, &t) <= budget_left(r, budget_s))
            status = run_task(r, &t);
    }
    return status;
}

/* Runs as many whole rounds as fit; a point has at most MOST_TIMES its planned launches. */
static enum status run_further(struct run *r, double budget_s, bool headlines, size_t *order,
                               size_t *points)
{
    const int64_t first = first_further(r);
    const double fit = floor(budget_left(r, budget_s) / further_seconds(r, headlines, points));
    const double most = (double)((MOST_TIMES - 1) * plan_rounds(r->plan));
    const int64_t rounds = fit > 0 ? (int64_t)fmin(fit, most) : 0; /* no point: infinite, limited by
                                                                    * `most` */
    enum status status = STATUS_OK;
    for (int64_t i = 0; i < rounds && status == STATUS_OK && !must_stop(r); i++)
        status = run_further_round(r, budget_s, headlines, first + i, order, points);
    return status;
}

/* ---- the whole run --------------------------------------------------------------------------- */

static enum status run_rounds(struct run *r, size_t *order, size_t *points)
{
    enum status status = STATUS_OK;
    int64_t rounds = plan_rounds(r->plan);
    double spend_s = r->settings->budget_s;
    for (int64_t round = 0; round < rounds && status == STATUS_OK && !must_stop(r); round++)
        status = run_round(r, order, points, round);
    if (r->measuring && !(spend_s > 0)) /* a plan that was already complete gets no further rounds
                                         * without a budget */
        spend_s = r->settings->further_until_s;
    for (int others = 0; others < 2 && status == STATUS_OK && spend_s > 0 && !must_stop(r);
         others++)
        status = run_further(r, spend_s, !others, order, points);
    return status;
}

static enum status measure(struct run *r, size_t *order, size_t *points)
{
    size_t processes;
    const double planned_s = seconds_left(r, points, &processes);
    r->progress = progress_begin(processes, run_remaining(r, planned_s));
    enum status status = run_rounds(r, order, points);
    progress_end(&r->progress);
    struct failure later = {0};
    const enum status cleaned = own_attempts_clean_up(r, status == STATUS_OK ? r->failure : &later);
    status = status == STATUS_OK ? cleaned : status;
    if (status == STATUS_OK)
        own_attempts_warn(r);
    own_attempts_release(r);
    if (r->measuring) {
        enum status ended = environment_end(r->settings->results, r->failure);
        status = status == STATUS_OK ? ended : status;
    }
    return status;
}

/* ---- measuring afresh ------------------------------------------------------------------------ */

/* The rule is fixed before the new launches are looked at: a set that was begun is gone on with
 * until it is whole, and only then can another one begin. What it says does not matter. */

static size_t count_open_sets(const struct run *r)
{
    size_t open = 0;
    for (size_t i = 0; i < r->plan->count; i++)
        open += ledger_set_is_open(&r->ledger, i);
    return open;
}

static bool can_begin(const struct run *r, size_t point)
{
    const struct planned *p = &r->plan->points[point];
    return !p->skip && !p->simulated && !r->ledger.points[point].refused &&
           r->ledger.points[point].rounds > 0;
}

/* Begins a set of every point of a group, one number for all. */
static enum status begin_sets(struct run *r, const struct group *g)
{
    int64_t newest = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < g->count; i++)
        if (r->ledger.points[g->points[i]].set > newest)
            newest = r->ledger.points[g->points[i]].set;
    for (size_t i = 0; i < g->count && status == STATUS_OK; i++) {
        const size_t point = g->points[i];
        if (!can_begin(r, point))
            continue;
        ledger_begin_set(&r->ledger, point, newest + 1,
                         plan_launches(r->plan, &r->plan->points[point]));
        status = journal_again(r, point);
        r->summary->again += !plan_repeats(r->plan, g->points, i);
    }
    return status;
}

static bool is_asked_again(const struct run *r, const struct group *g)
{
    for (size_t i = 0; i < g->count; i++)
        if (r->settings->again[g->points[i]])
            return true;
    return false;
}

static enum status begin_again(struct run *r)
{
    enum status status = STATUS_OK;
    if (!r->settings->again)
        return STATUS_OK;
    r->only_again = true;
    r->summary->resumed = count_open_sets(r);
    for (size_t i = 0; i < r->plan->group_count && !r->summary->resumed && status == STATUS_OK; i++)
        if (is_asked_again(r, &r->plan->groups[i]))
            status = begin_sets(r, &r->plan->groups[i]);
    return status;
}

/* Journals launches that were measured earlier or for other experiments, because the journal states
 * which points an experiment has, and the scale for which they count. */
static enum status journal_adoptions(struct run *r)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < r->ledger.adoption_count && status == STATUS_OK; i++) {
        const struct adoption *a = &r->ledger.adoptions[i];
        r->summary->shared += !a->recovered;
        status = journal_adoption(r, a->point, a->round,
                                  a->recovered ? "left by a study that was killed"
                                               : "measured for another experiment");
    }
    return status;
}

static enum status run_ledger(struct run *r)
{
    size_t *order = malloc((r->plan->group_count + 1) * sizeof *order);
    size_t *points = malloc((r->plan->count + 1) * sizeof *points);
    r->scratch = malloc((r->plan->count + 1) * sizeof *r->scratch);
    const size_t whole = r->plan->definition_count;
    enum status status = STATUS_OK;
    if (!order || !points || !r->scratch)
        status = fail(r->failure, STATUS_RESOURCE, "not enough memory for the order of points");
    if (status == STATUS_OK)
        status = journal_adoptions(r);
    r->summary->before = ledger_tally(&r->ledger, whole).done - r->summary->shared;
    if (status == STATUS_OK)
        status = begin_again(r);
    if (status == STATUS_OK)
        status = journal_skipped(r);
    if (status == STATUS_OK)
        status = measure(r, order, points);
    struct launch_tally t = ledger_tally(&r->ledger, whole);
    r->summary->planned = t.planned;
    r->summary->missing = t.planned - t.done - t.failed;
    r->summary->failed_in_all = t.failed;
    free(order);
    free(points);
    free(r->scratch);
    return status;
}

static enum status run_recovered(struct run *r)
{
    struct numbering recovered;
    enum status status = sample_store_recover(&r->store, &recovered, r->failure);
    if (status == STATUS_OK)
        status = ledger_read(&r->ledger, r->plan, r->settings->results, r->settings->retry_failed,
                             &recovered, r->failure);
    if (status == STATUS_OK) {
        status = run_ledger(r);
        ledger_release(&r->ledger);
    }
    numbering_release(&recovered);
    return status;
}

static enum status run_ready(struct run *r)
{
    enum status status = open_results(r);
    if (status == STATUS_OK)
        status = run_recovered(r);
    enum status closed = close_results(r);
    status = status == STATUS_OK ? closed : status;
    if (status == STATUS_OK) /* all rows are copied */
        unlink(sample_store_under_way(r->settings->results).text);
    return status;
}

enum status run_plan(struct plan *plan, const struct run_settings *settings,
                     struct run_summary *summary, struct failure *f)
{
    *summary = (struct run_summary){0};
    struct run r = {
        .plan = plan, .settings = settings, .summary = summary, .round = -1, .failure = f};
    struct results_lock lock;
    enum status status = results_make(settings->results, f);
    if (status == STATUS_OK)
        status = results_lock(settings->results, "study run", &lock, f);
    if (status != STATUS_OK)
        return status;
    open_mpi_prepare();
    status = simulated_make_ready(plan, settings->results, f);
    r.began = clock_now();
    status = status == STATUS_OK ? run_ready(&r) : status;
    limit_visits_release(&r.limits);
    results_unlock(&lock);
    return status;
}
