/* One sample of one method: it is poisoned, executed, verified and recorded; and the rule for
 * stopping. */
#include "harness/point/sampling/sample.h"

#include "harness/base/clock.h"
#include "harness/base/signals.h"
#include "harness/point/sampling/conditions.h"
#include "harness/point/sampling/rounds.h"

#include <math.h>
#include <stdlib.h>

/* ---- when to stop ---------------------------------------------------------------------------- */

enum reason { GO_ON, INTERRUPTED, RELATIVE_CI, SAMPLES, SECONDS, WRONG };

/* As in the record. */
static const char *const reason_words[] = {"",        "interrupted", "relative_ci",
                                           "samples", "seconds",     "wrong"};

bool sample_precise(const struct options *o, const struct measurement *m)
{
    if (m->count == 0 || !rounds_check_is_due(m->count))
        return false;
    const struct summary total = measurement_phase(m, SAMPLE_TOTAL);
    return summary_relative_half_width(&total) <= o->relative_ci;
}

/* Returns the reason to stop after the last timed sample, or GO_ON. */
static enum reason reason_to_stop(const struct options *o, const struct measurement *m)
{
    if (sample_precise(o, m))
        return RELATIVE_CI;
    if (m->count >= (size_t)o->samples)
        return SAMPLES;
    return m->spent_s >= o->max_seconds ? SECONDS : GO_ON;
}

/* The same after any execution. The root decides for all processes, and a signal to one of them
 * stops all. */
static enum reason decide(const struct point *p, const struct measurement *m, bool warmup)
{
    point_join_signals(p);
    enum reason reason = m->verdict.status != STATUS_OK ? WRONG
                         : signals_caught()             ? INTERRUPTED
                         : warmup                       ? GO_ON
                                                        : reason_to_stop(&p->options, m);
    processes_broadcast(p->program->space->processes, &reason, sizeof reason);
    return reason;
}

/* ---- one execution --------------------------------------------------------------------------- */

/* After an execution: if any process wrote outside its blocks, the method is wrong, whatever the
 * map contains. Checked every time, so that no method is blamed for another one's writes. */
static void check_guards(const struct point *p, struct contender *c)
{
    struct failure guard_failure = {0};
    const struct space *space = p->program->space;
    const enum status status =
        space->check_guards ? space->check_guards(c->instance, &guard_failure) : STATUS_OK;
    if (point_common_status(p, status, &guard_failure) == STATUS_OK || c->measurement.outside)
        return;
    c->measurement.verdict = guard_failure;
    c->measurement.outside = true;
}

/* Poisons the map, then executes `repeats` times; the map keeps the result. */
static enum status execute(struct point *p, struct contender *c, int64_t repeats,
                           struct phases *phases, struct failure *f)
{
    const struct space *space = p->program->space;
    p->computed = c;
    c->again = 0;
    space->poison(c->instance);
    conditions_begin(p, c);
    const enum status status = repeats > 1 ? space->execute_batch(c->instance, repeats, phases, f)
                                           : space->execute(c->instance, phases, f);
    conditions_end(p, c);
    c->again /= repeats;
    if (p->program->emulated)
        *phases = phases_none(); /* no second of an emulation is one of a GPU */
    if (status == STATUS_OK)
        check_guards(p, c);
    return status;
}

enum status sample_execute_untimed(struct point *p, struct contender *c, double *seconds,
                                   struct failure *f)
{
    struct phases phases;
    enum status status =
        point_common_status(p, execute(p, c, c->measurement.repeats, &phases, f), f);
    if (status == STATUS_OK)
        *seconds = phases.total_s;
    return status;
}

/* Returns STATUS_OK whether the map is right or wrong; *verdict has the result. */
static enum status verify_map(struct point *p, const struct contender *c, struct failure *verdict,
                              struct failure *f)
{
    int64_t first, count;
    const float *map = p->program->space->map(c->instance, &first, &count);
    const enum status status =
        point_common_status(p, verifier_check(point_verifier(p, c), map, verdict), verdict);
    return status == STATUS_OK || status == STATUS_WRONG ? STATUS_OK
                                                         : fail(f, status, "%s", verdict->message);
}

enum status sample_restore(struct point *p, struct contender *c, struct failure *f)
{
    double seconds;
    struct failure verdict = {0};
    if (p->computed == c)
        return STATUS_OK;
    enum status status = sample_execute_untimed(p, c, &seconds, f);
    if (status == STATUS_OK)
        status = verify_map(p, c, &verdict, f);
    if (c->measurement.outside)
        verdict = c->measurement.verdict;
    return status == STATUS_OK && verdict.status != STATUS_OK
               ? fail(f, verdict.status, "%s", verdict.message)
               : status;
}

/* Grows the samples together with the buffer of their summaries, so that every sample that was
 * taken can be reported. */
static bool grow(struct measurement *m, size_t capacity)
{
    struct phases *timed = realloc(m->timed, capacity * sizeof *timed);
    if (timed)
        m->timed = timed;
    double *sorting = timed ? realloc(m->sorting, capacity * sizeof *sorting) : NULL;
    if (sorting) {
        m->sorting = sorting;
        m->capacity = capacity;
    }
    return sorting;
}

static enum status keep(struct measurement *m, const struct phases *phases, struct failure *f)
{
    if (m->count == m->capacity) {
        const size_t capacity = m->capacity > 0 ? 2 * m->capacity : 64;
        if (!grow(m, capacity))
            return fail(f, STATUS_RESOURCE, "no memory for %zu samples", capacity);
    }
    m->timed[m->count++] = *phases;
    return STATUS_OK;
}

/* Writes the finished row to its outputs. */
static enum status publish(struct point *p, const struct record *r, struct failure *f)
{
    if (!point_is_root(p))
        return STATUS_OK;
    if (p->options.format == FORMAT_CSV) {
        record_print(stdout, r);
        if (fflush(stdout) != 0)
            return fail(f, STATUS_OUTPUT, "standard output could not be written");
    }
    return p->writer ? record_append(p->writer, r, f) : STATUS_OK;
}

/* Counts the outputs that the last execution recomputed, in all processes; only for methods that
 * may recompute: those that packed something to compare with. */
static void count_again(const struct point *p, struct contender *c)
{
    const struct operation *op = &c->operation;
    if (op->kind->words.recomputed && op->method->packed_floats && !c->peer)
        c->measurement.row.recomputed =
            (int64_t)processes_sum(p->program->space->processes, (uint64_t)c->again);
}

/* Executes, verifies, and fills the row. A wrong result is a sample too: the status is STATUS_OK,
 * and the row and the measurement's verdict record it, with the message for the end. */
static enum status execute_and_verify(struct point *p, struct contender *c, bool warmup,
                                      struct phases *phases, struct failure *f)
{
    struct measurement *m = &c->measurement;
    const int64_t repeats = warmup ? 1 : m->repeats;
    enum status status = execute(p, c, repeats, phases, f);
    if (status == STATUS_OK)
        conditions_fill(p, c, repeats, warmup);
    if (status == STATUS_OK && p->program->space->note)
        status = p->program->space->note(c->instance, f);
    struct failure verdict = {0};
    if (status == STATUS_OK)
        status = verify_map(p, c, &verdict, f);
    if (!m->outside)
        m->verdict = verdict;
    if (status == STATUS_OK)
        count_again(p, c);
    row_forget_errors(&m->row);
    if (status == STATUS_OK && m->verdict.status == STATUS_OK)
        status = row_fill_errors(p, c, &m->row, f);
    m->row.repeats = repeats;
    row_fill_sample(&m->row, phases,
                    m->verdict.status == STATUS_OK ? verifier_verdict(point_verifier(p, c))
                                                   : "wrong");
    return status;
}

/* Records the reason in the last row, and compares bounded results in full once more. */
static enum status finish(struct point *p, struct contender *c, enum reason reason,
                          struct failure *f)
{
    struct measurement *m = &c->measurement;
    int64_t first, count;
    const float *map = p->program->space->map(c->instance, &first, &count);
    const enum status status = point_common_status(
        p, verifier_check_last(point_verifier(p, c), map, &m->verdict), &m->verdict);
    const bool wrong = m->verdict.status == STATUS_WRONG;
    m->stop_reason = reason_words[wrong ? WRONG : reason];
    snprintf(m->row.stop_reason, RECORD_TEXT, "%s", m->stop_reason);
    if (wrong) {
        snprintf(m->row.verified, RECORD_TEXT, "wrong");
        row_forget_errors(&m->row);
    } else if (status != STATUS_OK)
        return fail(f, status, "%s", m->verdict.message);
    return STATUS_OK;
}

/* Keeps the sample, and stops the method if it was the last one. */
static enum status conclude(struct point *p, struct contender *c, bool warmup,
                            const struct phases *phases, struct failure *f)
{
    struct measurement *m = &c->measurement;
    enum status status = warmup ? STATUS_OK : point_common_status(p, keep(m, phases, f), f);
    if (status != STATUS_OK)
        return status;
    const enum reason reason = decide(p, m, warmup);
    if (reason != GO_ON)
        status = finish(p, c, reason, f);
    const enum status written = publish(p, &m->row, f);
    return point_common_status(p, status != STATUS_OK ? status : written, f);
}

enum status sample_take(struct point *p, struct contender *c, const struct occasion *o,
                        struct failure *f)
{
    struct measurement *m = &c->measurement;
    struct phases phases = phases_none();
    double untimed;
    enum status status = STATUS_OK;
    const double start = clock_now();
    m->row.sample = o->sample;
    m->row.warmup = o->warmup;
    if (p->contender_count > 1)
        m->row.turn = o->place;
    if (c->primed && !o->warmup)
        status = sample_execute_untimed(p, c, &untimed, f);
    if (status == STATUS_OK)
        status = execute_and_verify(p, c, o->warmup, &phases, f);
    if (status != STATUS_OK)
        return status;
    if (!o->warmup)
        m->spent_s += clock_now() - start;
    return conclude(p, c, o->warmup, &phases, f);
}

enum status sample_put(struct point *p, struct contender *c, const struct occasion *o,
                       const struct phases *phases, const char *verified, const char *reason,
                       struct failure *f)
{
    struct measurement *m = &c->measurement;
    m->row.sample = o->sample;
    m->row.warmup = o->warmup;
    row_fill_sample(&m->row, phases, verified);
    enum status status = o->warmup ? STATUS_OK : keep(m, phases, f);
    if (reason) {
        m->stop_reason = reason;
        snprintf(m->row.stop_reason, RECORD_TEXT, "%s", reason);
    }
    const enum status written = publish(p, &m->row, f);
    return point_common_status(p, status != STATUS_OK ? status : written, f);
}
