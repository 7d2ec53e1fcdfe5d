#include "experiments/run/own_attempt.h"

#include "experiments/common/results.h"
#include "experiments/program/launch/own_sample.h"
#include "experiments/program/launch/own_words.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"
#include "harness/machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the places of the command hold; the columns of the point are places too. */
static struct own_workers workers_of(const struct planned *p)
{
    return (struct own_workers){.ranks = p->point.ranks,
                                .threads = p->point.threads,
                                .size = p->point.rows,
                                .point = &p->point};
}

/* ---- outputs that are compared --------------------------------------------------------------- */

/* The place of the hash for launches that differ in their workers alone; NULL if memory is lacking.
 */
static char *hash_of(struct own_traces *own, const struct record *point)
{
    struct record problem = *point;
    char key[POINT_KEY], *name = NULL;
    const size_t before = own->problems.count;
    problem.ranks = problem.threads = RECORD_NO_INT;
    point_key(&problem, key);
    if (asprintf(&name, "%s %s", point->experiment, key) < 0)
        return NULL;
    const ptrdiff_t at = numbering_put(&own->problems, name);
    free(name);
    if (at < 0 || (size_t)at < before)
        return at < 0 ? NULL : own->hashes[at];
    void *grown = array_grow(own->hashes, before, sizeof *own->hashes);
    if (!grown)
        return NULL;
    own->hashes = grown;
    own->hashes[at][0] = '\0';
    return own->hashes[at];
}

/* True for a launch of the newest set of its point: those of older sets were replaced. */
static bool is_newest(const struct run *r, const struct record *launch)
{
    for (size_t i = 0; i < r->plan->count; i++)
        if (strcmp(r->plan->points[i].point.experiment, launch->experiment) == 0 &&
            point_matches(&r->plan->points[i].point, launch))
            return record_set(launch) == r->ledger.points[i].set;
    return false;
}

static bool take_hash(const struct journal_row *row, void *context)
{
    struct run *r = context;
    char hash[SHA256_HEX];
    if (!own_hash_read(row, hash) || !is_newest(r, &row->point))
        return true;
    char *first = hash_of(&r->own, &row->point);
    if (first && !first[0])
        memcpy(first, hash, sizeof hash);
    return true;
}

/* Makes room for the traces, and reads the hashes of the point's definition once. */
static enum status begin_traces(struct run *r, const struct planned *p)
{
    struct own_traces *own = &r->own;
    if (!own->used) {
        own->used = calloc(r->plan->count + 1, sizeof *own->used);
        own->started = calloc(r->plan->count + 1, sizeof *own->started);
        own->read = calloc(r->plan->definition_count + 1, sizeof *own->read);
    }
    if (!own->used || !own->started || !own->read)
        return fail(r->failure, STATUS_RESOURCE, "not enough memory for the outputs");
    if (own->read[p->definition])
        return STATUS_OK;
    own->read[p->definition] = true;
    return journal_read_of(r->settings->results, p->point.experiment, take_hash, r, r->failure);
}

/* ---- launches -------------------------------------------------------------------------------- */

static const struct planned *first_of(const struct run *r, const struct task *t)
{
    return &r->plan->points[t->points[0]];
}

char **own_attempt_words(const struct run *r, const struct task *t)
{
    const struct planned *p = first_of(r, t);
    const struct own_command command = sweep_command(plan_sweep(r->plan, p));
    const struct own_workers w = workers_of(p);
    return own_words_fill(&command, &w);
}

/* Appends a sample of each phase; *run_id: that of the launch. */
static enum status append_samples(const struct run *r, const struct task *t,
                                  const struct own_command *c, const struct own_launch *l,
                                  const char *path, char run_id[RECORD_TEXT])
{
    const struct planned *p = first_of(r, t);
    struct record_writer *writer;
    struct record identity = p->point;
    struct machine machine;
    char program[SHA256_HEX];
    machine_describe(&machine);
    own_command_identity(c, program);
    identity.round = t->round;
    struct record sample = own_sample(l, c, &identity, machine.host, program);
    memcpy(run_id, sample.run_id, sizeof sample.run_id);
    enum status status = record_writer_open(&writer, path, NULL, r->failure);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < own_sample_count(c) && status == STATUS_OK; i++) {
        own_sample_phase(&sample, l, c, i, p->point.method);
        status = record_append(writer, &sample, r->failure);
    }
    const enum status closed = record_writer_close(writer, r->failure);
    return status == STATUS_OK ? closed : status;
}

static enum status append_usage(const struct run *r, const struct task *t,
                                const struct own_launch *l, const char *run_id)
{
    struct table_writer *writer;
    const struct planned *p = first_of(r, t);
    const char *bytes = plan_sweep(r->plan, p)->own.bytes;
    const struct own_workers w = workers_of(p);
    const struct usage_row row =
        own_usage(l, run_id, bytes ? own_text_product(bytes, &w) : (double)NAN);
    const struct results_path path = results_usage(r->settings->results, p->point.experiment);
    enum status status = table_writer_open(&writer, &usage_schema, path.text, NULL, r->failure);
    if (status != STATUS_OK)
        return status;
    status = table_append(writer, &row, r->failure);
    const enum status closed = table_writer_close(writer, r->failure);
    return status == STATUS_OK ? closed : status;
}

/* Shows the first launch that does not count: the others often fail alike. */
static void show_bad(struct run *r, const struct own_launch *l)
{
    if (l->end == OWN_DONE || l->end == OWN_STOPPED || r->bad_shown)
        return;
    r->bad_shown = true;
    progress_end(&r->progress);
    own_launch_show(l);
}

enum status own_attempt_run(struct own_launch *out, struct run *r, const struct task *t,
                            const char *samples)
{
    const struct planned *p = first_of(r, t);
    const struct own_command command = sweep_command(plan_sweep(r->plan, p));
    const struct own_workers w = workers_of(p);
    const double limit_s = r->settings->time_limit_s > 0
                               ? r->settings->time_limit_s
                               : r->plan->definitions[p->definition].time_limit_s;
    char run_id[RECORD_TEXT];
    enum status status = begin_traces(r, p);
    char *first = status == STATUS_OK ? hash_of(&r->own, &p->point) : NULL;
    if (status == STATUS_OK && !first)
        status = fail(r->failure, STATUS_RESOURCE, "not enough memory for the outputs");
    if (status == STATUS_OK) {
        status = own_launch_run(out, &command, &w, limit_s, first, r->failure);
        r->own.started[t->points[0]] |= out->started;
    }
    if (status == STATUS_OK && out->end == OWN_DONE) {
        own_tally_add(&r->own.used[t->points[0]], out);
        if (!first[0])
            memcpy(first, out->hash, sizeof out->hash);
    }
    if (status == STATUS_OK && (out->end == OWN_DONE || out->end == OWN_WRONG)) {
        status = append_samples(r, t, &command, out, samples, run_id);
        if (status == STATUS_OK)
            status = append_usage(r, t, out, run_id);
    }
    if (status == STATUS_OK)
        show_bad(r, out);
    return status;
}

/* True for points that differ in their workers alone: their hash has one place. */
static bool is_same_problem(struct run *r, size_t i, size_t j)
{
    const char *a = hash_of(&r->own, &r->plan->points[i].point),
               *b = hash_of(&r->own, &r->plan->points[j].point);
    return a && a == b;
}

static int64_t workers_at(const struct run *r, size_t i)
{
    const struct own_workers w = workers_of(&r->plan->points[i]);
    return own_workers_count(&w);
}

void own_attempts_warn(struct run *r)
{
    for (size_t i = 0; r->own.used && i < r->plan->count; i++) {
        const struct planned *p = &r->plan->points[i];
        if (own_tally_launches(&r->own.used[i]) == 0 || p->point.threads < 2 ||
            workers_at(r, i) > r->plan->settings.cores)
            continue;
        for (size_t j = 0; j < r->plan->count; j++)
            if (own_tally_launches(&r->own.used[j]) > 0 && workers_at(r, j) == 1 &&
                is_same_problem(r, i, j) &&
                own_tally_warn(p->point.program, p->point.threads, &r->own.used[j],
                               &r->own.used[i]))
                return;
    }
}

enum status own_attempts_clean_up(struct run *r, struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; r->own.started && i < r->plan->count; i++) {
        const struct planned *p = &r->plan->points[i];
        struct failure later = {0};
        if (!r->own.started[i])
            continue;
        const struct own_command command = sweep_command(plan_sweep(r->plan, p));
        const struct own_workers w = workers_of(p);
        const enum status cleaned = own_cleanup_run(&command, &w, status == STATUS_OK ? f : &later);
        status = status == STATUS_OK ? cleaned : status;
    }
    return status;
}

void own_attempts_release(struct run *r)
{
    numbering_release(&r->own.problems);
    free(r->own.hashes);
    free(r->own.read);
    free(r->own.used);
    free(r->own.started);
    r->own = (struct own_traces){.used = NULL};
}
