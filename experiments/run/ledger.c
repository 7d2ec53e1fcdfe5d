#include "experiments/run/ledger.h"

#include "experiments/common/lists.h"
#include "experiments/common/results.h"
#include "experiments/samples/folder_samples.h"
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
    struct ledger_round *grown = realloc(p->known, (size_t)rounds * sizeof *grown);
    if (!grown)
        return false;
    for (int64_t i = p->rounds; i < rounds; i++)
        grown[i] = (struct ledger_round){LAUNCH_MISSING, false};
    p->known = grown;
    p->rounds = rounds;
    return true;
}

enum launch_state ledger_state(const struct ledger *ledger, size_t point, int64_t round)
{
    const struct ledger_point *p = &ledger->points[point];
    return round >= 0 && round < p->rounds ? p->known[round].state : LAUNCH_MISSING;
}

void ledger_set(struct ledger *ledger, size_t point, int64_t round, enum launch_state state)
{
    struct ledger_point *p = &ledger->points[point];
    if (!reach(p, round)) {
        ledger->out_of_memory = true;
        return;
    }
    p->known[round].state = state;
    if (state == LAUNCH_FAILED)
        p->failed_round = round;
}

void ledger_begin_set(struct ledger *ledger, size_t point, int64_t set, int64_t set_launches)
{
    struct ledger_point *p = &ledger->points[point];
    if (set <= p->set)
        return;
    free(p->known);
    p->known = NULL;
    p->rounds = 0;
    p->count = 0;
    p->failed_round = -1;
    p->refused = false;
    p->set = set;
    p->set_launches = set_launches > 0 ? set_launches : 0;
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

/* True for a launch that finished with right results. */
static bool counts(const struct launch *launch)
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

/* A pair of a planned point and what the folder has of it. */
typedef void pair_visitor(struct ledger *ledger, size_t point, const struct samples *samples,
                          const struct point_samples *p);

static void visit_pairs(struct ledger *ledger, const struct folder_samples *all,
                        pair_visitor *visit)
{
    const struct plan *plan = ledger->plan;
    for (size_t s = 0; s < all->count; s++)
        for (size_t i = 0; i < all->sets[s].point_count; i++)
            for (size_t j = 0; j < plan->count; j++)
                if (point_matches(&plan->points[j].point, &all->sets[s].points[i].identity))
                    visit(ledger, j, &all->sets[s], &all->sets[s].points[i]);
}

static void learn_sets(struct ledger *ledger, size_t point, const struct samples *samples,
                       const struct point_samples *p)
{
    for (size_t i = 0; i < p->count + p->others; i++) {
        const struct launch *l = &samples->launches[p->first + i];
        ledger_begin_set(ledger, point, l->set, l->set_launches);
    }
}

/* Several experiments may have the same launch. */
static void take_launches(struct ledger *ledger, size_t point, const struct samples *samples,
                          const struct point_samples *p)
{
    for (size_t i = 0; i < p->count + p->others; i++) {
        const struct launch *l = &samples->launches[p->first + i];
        if (counts(l) && l->set == ledger->points[point].set &&
            ledger_state(ledger, point, l->round) != LAUNCH_DONE)
            ledger_take(ledger, point, samples, l);
    }
}

/* ---- what the journal says ------------------------------------------------------------------- */

static bool find_point(const struct history *h, const struct record *row, size_t *point)
{
    const struct plan *plan = h->ledger->plan;
    for (*point = 0; *point < plan->count; ++*point)
        if (plan->points[*point].definition == h->definition &&
            point_matches(&plan->points[*point].point, row))
            return true;
    return false;
}

static void note_done(struct ledger *ledger, size_t point, int64_t round)
{
    if (reach(&ledger->points[point], round))
        ledger->points[point].known[round].journalled = true;
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
    if (row->point.round == RECORD_NO_INT || set != h->ledger->points[point].set)
        return true;
    if (strcmp(row->status, "done") == 0)
        note_done(h->ledger, point, row->point.round);
    if (h->forget_failures || ledger_state(h->ledger, point, row->point.round) != LAUNCH_MISSING)
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

/* Takes a row of R/journal.csv for the definition that it names. */
static bool take_joint_journal(const struct journal_row *row, void *context)
{
    struct history *h = context;
    const struct plan *plan = h->ledger->plan;
    for (size_t i = 0; i < plan->definition_count; i++) {
        h->definition = i;
        if (strcmp(plan->definitions[i].name, row->point.experiment) == 0)
            return take_journal(row, h);
    }
    return true;
}

static enum status read_journal(const char *path, journal_visitor *visit, struct history *h,
                                struct failure *f)
{
    struct record_report report;
    const enum status status = journal_read(path, visit, h, &report, f);
    if (status == STATUS_OK)
        describe_left_out(path, &report);
    return status;
}

static enum status read_journals(struct ledger *ledger, const char *results, bool forget_failures,
                                 struct failure *f)
{
    struct history h = {ledger, 0, forget_failures};
    enum status status = STATUS_OK;
    for (; h.definition < ledger->plan->definition_count && status == STATUS_OK; h.definition++) {
        const char *name = ledger->plan->definitions[h.definition].name;
        status = read_journal(results_own_journal(results, name).text, take_journal, &h, f);
    }
    return status == STATUS_OK
               ? read_journal(results_journal(results).text, take_joint_journal, &h, f)
               : status;
}

/* ---- launches that the journal does not have ------------------------------------------------- */

static void adopt(struct ledger *ledger, size_t point, int64_t round, bool recovered)
{
    struct adoption *grown = array_grow(ledger->adoptions, ledger->adoption_count, sizeof *grown);
    ledger->out_of_memory = ledger->out_of_memory || !grown;
    if (!grown)
        return;
    ledger->adoptions = grown;
    ledger->adoptions[ledger->adoption_count++] = (struct adoption){point, round, recovered};
    ledger->points[point].known[round].journalled = true;
}

/* Notes launches that a journal must still name, so that it says what its experiment has and at
 * which scale. */
static void find_adoptions(struct ledger *ledger, size_t point, const struct samples *samples,
                           const struct point_samples *p)
{
    const struct planned *asked = &ledger->plan->points[point];
    const struct ledger_point *at = &ledger->points[point];
    for (size_t i = 0; i < p->count + p->others && !asked->skip; i++) {
        const struct launch *l = &samples->launches[p->first + i];
        const bool recovered =
            ledger->recovered && numbering_find(ledger->recovered, l->run_id) >= 0;
        if (counts(l) && l->set == at->set && l->round < plan_launches(ledger->plan, asked) &&
            l->round < at->rounds && !at->known[l->round].journalled &&
            (recovered || strcmp(l->experiment, asked->point.experiment) != 0))
            adopt(ledger, point, l->round, recovered);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

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

/* Fails if the samples of a definition are there and cannot be read; reports corrupt rows. */
static enum status check_samples(const struct plan *plan, struct folder_samples *all,
                                 struct failure *f)
{
    struct results_path last = {""};
    if (all->unread.status != STATUS_OK)
        return fail(f, all->unread.status, "%s", all->unread.message);
    for (size_t i = 0; i < plan->definition_count; i++) {
        const size_t at = folder_samples_find(all, plan->definitions[i].name);
        if (at == all->count)
            continue;
        const struct results_path path = folder_samples_path(all, at);
        struct samples unread = {0};
        const enum status status =
            all->sets[at].point_count ? STATUS_OK : samples_read(&unread, path.text, f);
        samples_release(&unread);
        if (status != STATUS_OK)
            return status;
        if (strcmp(path.text, last.text) != 0)
            describe_left_out(path.text, &all->sets[at].report);
        last = path;
    }
    return STATUS_OK;
}

static enum status read_folder(struct ledger *ledger, const char *results, bool forget_failures,
                               struct failure *f)
{
    struct folder_samples all;
    enum status status = folder_samples_read(&all, results, f);
    if (status != STATUS_OK)
        return status;
    status = check_samples(ledger->plan, &all, f);
    if (status == STATUS_OK) {
        visit_pairs(ledger, &all, learn_sets);
        visit_pairs(ledger, &all, take_launches);
        status = read_journals(ledger, results, forget_failures, f);
    }
    share_sets(ledger);
    if (status == STATUS_OK && !ledger->out_of_memory)
        visit_pairs(ledger, &all, find_adoptions);
    folder_samples_release(&all);
    return status;
}

enum status ledger_read(struct ledger *ledger, const struct plan *plan, const char *results,
                        bool forget_failures, const struct numbering *recovered, struct failure *f)
{
    *ledger = (struct ledger){.plan = plan, .recovered = recovered};
    ledger->points = calloc(plan->count ? plan->count : 1, sizeof *ledger->points);
    if (!ledger->points)
        return fail(f, STATUS_RESOURCE, "not enough memory for the ledger");
    for (size_t i = 0; i < plan->count; i++)
        ledger->points[i] = (struct ledger_point){.set = 1, .failed_round = -1};
    enum status status = read_folder(ledger, results, forget_failures, f);
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
        free(ledger->points[i].known);
    free(ledger->points);
    free(ledger->adoptions);
    ledger->points = NULL;
    ledger->adoptions = NULL;
}
