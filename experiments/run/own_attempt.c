#include "experiments/run/own_attempt.h"

#include "experiments/common/results.h"
#include "experiments/program/launch/own_sample.h"
#include "experiments/program/launch/own_words.h"
#include "harness/machine/machine.h"

#include <string.h>

/* What the places of the command hold; the columns of the point are places too. */
static struct own_workers workers_of(const struct planned *p)
{
    return (struct own_workers){.ranks = p->point.ranks,
                                .threads = p->point.threads,
                                .size = p->point.rows,
                                .point = &p->point};
}

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
    const struct usage_row row = own_usage(l, run_id);
    const struct results_path path =
        results_usage(r->settings->results, first_of(r, t)->point.experiment);
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
    enum status status = own_launch_run(out, &command, &w, limit_s, "", r->failure);
    if (status == STATUS_OK && (out->end == OWN_DONE || out->end == OWN_WRONG)) {
        status = append_samples(r, t, &command, out, samples, run_id);
        if (status == STATUS_OK)
            status = append_usage(r, t, out, run_id);
    }
    if (status == STATUS_OK)
        show_bad(r, out);
    return status;
}
