#include "experiments/run/ledger.h"

#include "experiments/common/results.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 1000000 };

/* Extends `states` to a round; false if that is not possible. */
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

void ledger_begin_set(struct ledger *ledger, size_t point, int64_t set, int64_t set_launches)
{
    struct ledger_point *p = &ledger->points[point];
    if (set <= p->set)
        return;
    free(p->states);
    *p = (struct ledger_point){.set = set,
                               .set_launches = set_launches > 0 ? set_launches : 0,
                               .failed_round = -1,
                               .skip_reported = p->skip_reported};
}

bool ledger_set_is_open(const struct ledger *ledger, size_t point)
{
    const struct ledger_point *p = &ledger->points[point];
    const struct planned *asked = &ledger->plan->points[point];
    if (p->set == 1 || p->failed_round >= 0 || p->refused || asked->skip)
        return false;
    const int64_t launches = p->set_launches ? p->set_launches : plan_launches(ledger->plan, asked);
    for (int64_t round = 0; round < launches; round++)
        if (ledger_state(ledger, point, round) == LAUNCH_MISSING)
            return true;
    return false;
}

bool ledger_counts(const struct launch *launch)
{
    return launch->finished && launch->round != RECORD_NO_INT &&
           strcmp(launch->verified, "wrong") != 0;
}

void ledger_take(struct ledger *ledger, size_t point, const struct samples *samples,
                 const struct launch *launch)
{
    ledger_set(ledger, point, launch->round, LAUNCH_DONE);
    for (size_t i = 0; i < launch->count; i++)
        if (!isnan(samples->samples[launch->first + i].seconds[PHASE_TOTAL])) {
            ledger->points[point].count++;
            return;
        }
}

/* ---- existing launches ----------------------------------------------------------------------- */

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

static void take_samples(const struct history *h, const struct samples *s)
{
    for (size_t i = 0; i < s->point_count; i++) {
        size_t point;
        if (!find_point(h, &s->points[i].identity, &point))
            continue;
        const size_t all = s->points[i].count + s->points[i].others;
        for (size_t j = 0; j < all; j++) {
            const struct launch *l = &s->launches[s->points[i].first + j];
            ledger_begin_set(h->ledger, point, l->set, l->set_launches);
        }
        for (size_t j = 0; j < all; j++) {
            const struct launch *launch = &s->launches[s->points[i].first + j];
            if (ledger_counts(launch) && launch->set == h->ledger->points[point].set)
                ledger_take(h->ledger, point, s, launch);
        }
    }
}

static bool take_journal(const struct journal_row *row, void *context)
{
    const struct history *h = context;
    size_t point;
    if (!find_point(h, &row->point, &point))
        return true;
    const struct planned *p = &h->ledger->plan->points[point];
    if (strcmp(row->status, "skipped") == 0)
        h->ledger->points[point].skip_reported = p->skip && strcmp(p->skip, row->reason) == 0;
    const int64_t set = record_set(&row->point);
    if (strcmp(row->status, "again") == 0)
        ledger_begin_set(h->ledger, point, set, row->point.set_launches);
    bool failed = strcmp(row->status, "failed") == 0 || strcmp(row->status, "timeout") == 0;
    if (row->point.round == RECORD_NO_INT || h->forget_failures ||
        set != h->ledger->points[point].set ||
        ledger_state(h->ledger, point, row->point.round) != LAUNCH_MISSING)
        return true;
    if (failed)
        ledger_set(h->ledger, point, row->point.round, LAUNCH_FAILED);
    if (strcmp(row->status, "skipped") == 0) /* its program refused this round */
        h->ledger->points[point].refused = true;
    return !h->ledger->out_of_memory;
}

static void describe_left_out(const char *path, const struct record_report *report)
{
    if (report->corrupt > 0)
        fprintf(stderr,
                "study: %s: %" PRId64 " corrupt rows left out, the first in line %" PRId64 ": %s\n",
                path, report->corrupt, report->first_corrupt_line, report->first_corrupt);
}

static enum status read_one(struct history *h, const char *results, struct failure *f)
{
    const char *name = h->ledger->plan->definitions[h->definition].name;
    struct results_path path = results_samples(results, name);
    struct results_path journal = results_journal(results, name);
    struct record_report report;
    enum status status = STATUS_OK;
    if (table_is_begun(path.text)) {
        struct samples samples;
        status = samples_read(&samples, path.text, f);
        if (status != STATUS_OK)
            return status;
        describe_left_out(path.text, &samples.report);
        take_samples(h, &samples);
        samples_release(&samples);
    }
    status = journal_read(journal.text, take_journal, h, &report, f);
    if (status == STATUS_OK)
        describe_left_out(journal.text, &report);
    return status;
}

/* A point has the same sets in all experiments of the plan. */
static void share_sets(struct ledger *ledger)
{
    const struct plan *plan = ledger->plan;
    for (size_t i = 0; i < plan->count; i++) {
        const struct ledger_point *from = &ledger->points[i];
        for (size_t j = 0; from->set > 1 && j < plan->count; j++)
            if (point_matches(&plan->points[j].point, &plan->points[i].point))
                ledger_begin_set(ledger, j, from->set, from->set_launches);
    }
}

enum status ledger_read(struct ledger *ledger, const struct plan *plan, const char *results,
                        bool forget_failures, struct failure *f)
{
    *ledger = (struct ledger){.plan = plan};
    ledger->points = calloc(plan->count ? plan->count : 1, sizeof *ledger->points);
    if (!ledger->points)
        return fail(f, STATUS_RESOURCE, "not enough memory for the ledger");
    for (size_t i = 0; i < plan->count; i++)
        ledger->points[i] = (struct ledger_point){.set = 1, .failed_round = -1};
    enum status status = STATUS_OK;
    for (size_t d = 0; d < plan->definition_count && status == STATUS_OK; d++) {
        struct history h = {ledger, d, forget_failures};
        status = read_one(&h, results, f);
    }
    share_sets(ledger);
    if (status == STATUS_OK && ledger->out_of_memory)
        status = fail(f, STATUS_RESOURCE, "not enough memory for the ledger");
    if (status != STATUS_OK)
        ledger_release(ledger);
    return status;
}

/* ---- counting -------------------------------------------------------------------------------- */

struct launch_tally ledger_tally(const struct ledger *ledger, size_t definition)
{
    struct launch_tally t = {0};
    const struct plan *plan = ledger->plan;
    for (size_t i = 0; i < plan->count; i++) {
        const struct planned *p = &plan->points[i];
        if (p->skip || (definition != plan->definition_count && p->definition != definition))
            continue;
        for (int64_t round = 0; round < plan_launches(plan, p); round++) {
            enum launch_state state = ledger_state(ledger, i, round);
            t.planned += state != LAUNCH_MISSING || !ledger->points[i].refused;
            t.done += state == LAUNCH_DONE;
            t.failed += state == LAUNCH_FAILED;
        }
    }
    return t;
}

void ledger_release(struct ledger *ledger)
{
    for (size_t i = 0; ledger->points && i < ledger->plan->count; i++)
        free(ledger->points[i].states);
    free(ledger->points);
    ledger->points = NULL;
}
