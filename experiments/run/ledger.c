#include "experiments/run/ledger.h"

#include "experiments/common/results.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"
#include "harness/base/statistics.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS_MAX = 1000000 };

/* Room for the state of a round. */
static bool reach(struct ledger_point *p, int64_t round)
{
    if (round < 0 || round >= ROUNDS_MAX)
        return false;
    if (round < p->rounds)
        return true;
    int64_t rounds = round + 8;
    unsigned char *grown = realloc(p->states, (size_t)rounds);
    if (!grown)
        return false;
    memset(grown + p->rounds, LAUNCH_MISSING, (size_t)(rounds - p->rounds));
    p->states = grown;
    p->rounds = rounds;
    return true;
}

enum launch_state ledger_state(const struct ledger *ledger, size_t point, int64_t round)
{
    const struct ledger_point *p = &ledger->points[point];
    return round >= 0 && round < p->rounds ? (enum launch_state)p->states[round] : LAUNCH_MISSING;
}

void ledger_set(struct ledger *ledger, size_t point, int64_t round, enum launch_state state)
{
    struct ledger_point *p = &ledger->points[point];
    if (!reach(p, round)) {
        ledger->out_of_memory = true;
        return;
    }
    p->states[round] = (unsigned char)state;
    if (state == LAUNCH_FAILED)
        p->failed_round = round;
}

static void add_median(struct ledger *ledger, size_t point, double median)
{
    struct ledger_point *p = &ledger->points[point];
    double *grown = realloc(p->medians, (p->count + 1) * sizeof *grown);
    if (!grown) {
        ledger->out_of_memory = true;
        return;
    }
    p->medians = grown;
    p->medians[p->count++] = median;
}

/* Collects the timed seconds of one launch; another run_id begins another. */
static void add_total(struct ledger *ledger, const struct record *r)
{
    if (strcmp(ledger->run_id, r->run_id) != 0) {
        memcpy(ledger->run_id, r->run_id, sizeof ledger->run_id);
        ledger->total_count = 0;
    }
    if (r->warmup == 1 || !(r->total_s >= 0))
        return;
    if (ledger->total_count == ledger->total_room) {
        size_t room = ledger->total_room ? 2 * ledger->total_room : 64;
        double *grown = realloc(ledger->totals, room * sizeof *grown);
        if (!grown) {
            ledger->out_of_memory = true;
            return;
        }
        ledger->totals = grown;
        ledger->total_room = room;
    }
    ledger->totals[ledger->total_count++] = r->total_s;
}

/* The last row of a launch that went to its end. */
static bool is_finished(const struct record *r)
{
    return r->stop_reason[0] && strcmp(r->stop_reason, "interrupted") != 0 &&
           strcmp(r->stop_reason, "wrong") != 0;
}

static void finish(struct ledger *ledger, size_t point, const struct record *r)
{
    ledger_set(ledger, point, r->round, LAUNCH_DONE);
    if (ledger->total_count > 0)
        add_median(ledger, point, summarise(ledger->totals, ledger->total_count).median);
    ledger->total_count = 0;
}

/* ---- what is there already ------------------------------------------------------------------ */

struct history {
    struct ledger *ledger;
    size_t definition;
    bool forget_failures;
};

static bool find_point(const struct history *h, const struct record *sample, size_t *point)
{
    const struct plan *plan = h->ledger->plan;
    for (*point = 0; *point < plan->count; ++*point)
        if (plan->points[*point].definition == h->definition &&
            point_matches(&plan->points[*point].point, sample))
            return true;
    return false;
}

static bool take_sample(const struct record *r, int64_t line, void *context)
{
    const struct history *h = context;
    size_t point;
    (void)line;
    add_total(h->ledger, r);
    if (is_finished(r) && r->round != RECORD_NO_INT && find_point(h, r, &point))
        finish(h->ledger, point, r);
    return !h->ledger->out_of_memory;
}

static bool take_journal(const struct journal_row *row, void *context)
{
    const struct history *h = context;
    size_t point;
    if (!find_point(h, &row->point, &point))
        return true;
    const struct planned *p = &h->ledger->plan->points[point];
    if (strcmp(row->status, "skipped") == 0)
        h->ledger->points[point].skip_told = p->skip && strcmp(p->skip, row->reason) == 0;
    bool failed = strcmp(row->status, "failed") == 0 || strcmp(row->status, "timeout") == 0 ||
                  strcmp(row->status, "skipped") == 0; /* by the program itself, in this round */
    if (failed && row->point.round != RECORD_NO_INT && !h->forget_failures &&
        ledger_state(h->ledger, point, row->point.round) == LAUNCH_MISSING)
        ledger_set(h->ledger, point, row->point.round, LAUNCH_FAILED);
    return !h->ledger->out_of_memory;
}

static void tell_left_out(const char *path, const struct record_report *report)
{
    if (report->corrupt > 0)
        fprintf(stderr,
                "study: %s: %" PRId64 " corrupt rows left out, the first in line %" PRId64 "\n",
                path, report->corrupt, report->first_corrupt_line);
}

static enum status read_one(struct history *h, const char *results, struct failure *f)
{
    const char *name = h->ledger->plan->definitions[h->definition].name;
    struct results_path samples = results_samples(results, name);
    struct results_path journal = results_journal(results, name);
    struct record_report report;
    enum status status = STATUS_OK;
    if (access(samples.text, F_OK) == 0) {
        status = record_read(samples.text, take_sample, h, &report, f);
        if (status != STATUS_OK)
            return status;
        tell_left_out(samples.text, &report);
    }
    status = journal_read(journal.text, take_journal, h, &report, f);
    if (status == STATUS_OK)
        tell_left_out(journal.text, &report);
    return status;
}

enum status ledger_read(struct ledger *ledger, const struct plan *plan, const char *results,
                        bool forget_failures, struct failure *f)
{
    *ledger = (struct ledger){.plan = plan};
    ledger->points = calloc(plan->count ? plan->count : 1, sizeof *ledger->points);
    if (!ledger->points)
        return fail(f, STATUS_RESOURCE, "not enough memory for the ledger");
    for (size_t i = 0; i < plan->count; i++)
        ledger->points[i].failed_round = -1;
    enum status status = STATUS_OK;
    for (size_t d = 0; d < plan->definition_count && status == STATUS_OK; d++) {
        struct history h = {ledger, d, forget_failures};
        status = read_one(&h, results, f);
    }
    if (status == STATUS_OK && ledger->out_of_memory)
        status = fail(f, STATUS_RESOURCE, "not enough memory for the ledger");
    if (status != STATUS_OK)
        ledger_release(ledger);
    return status;
}

/* ---- one launch ----------------------------------------------------------------------------- */

struct fresh {
    struct ledger *ledger;
    size_t point;
    int64_t round;
    struct launch_rows *seen;
};

static bool take_fresh(const void *row, int64_t line, void *context)
{
    const struct fresh *fresh = context;
    const struct record *r = row;
    (void)line;
    if (r->round != fresh->round ||
        !point_matches(&fresh->ledger->plan->points[fresh->point].point, r))
        return true;
    add_total(fresh->ledger, r);
    fresh->seen->rows++;
    fresh->seen->wrong = fresh->seen->wrong || strcmp(r->verified, "wrong") == 0;
    if (is_finished(r)) {
        fresh->seen->finished = true;
        finish(fresh->ledger, fresh->point, r);
    }
    return true;
}

enum status ledger_take(struct ledger *ledger, size_t point, int64_t round, const char *samples,
                        int64_t offset, struct launch_rows *seen, struct failure *f)
{
    struct fresh fresh = {ledger, point, round, seen};
    *seen = (struct launch_rows){0};
    return table_read_from(samples, offset, &record_schema, take_fresh, &fresh, NULL, f);
}

double ledger_width(const struct ledger *ledger, size_t point)
{
    const struct ledger_point *p = &ledger->points[point];
    if (p->count < 2)
        return (double)INFINITY;
    struct summary s = summarise(p->medians, p->count); /* their order does not matter */
    double width = summary_relative_half_width(&s);
    if (isfinite(width) || !(s.median > 0))
        return width;
    return (s.maximum - s.minimum) / 2 / s.median;
}

void ledger_release(struct ledger *ledger)
{
    for (size_t i = 0; ledger->points && i < ledger->plan->count; i++) {
        free(ledger->points[i].states);
        free(ledger->points[i].medians);
    }
    free(ledger->points);
    free(ledger->totals);
    ledger->points = NULL;
    ledger->totals = NULL;
}
