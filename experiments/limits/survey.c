#include "experiments/limits/survey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void survey_release(struct survey *s)
{
    free(s->rows);
    *s = (struct survey){0};
}

enum status survey_add(struct survey *s, const struct surveyed *row, struct failure *f)
{
    struct surveyed *grown = realloc(s->rows, (s->count + 1) * sizeof *grown);
    if (!grown)
        return fail(f, STATUS_RESOURCE, "no memory for %zu ceilings", s->count + 1);
    s->rows = grown;
    grown[s->count++] = *row;
    return STATUS_OK;
}

static const struct visits *visits_of(const struct surveyed *row)
{
    return row->peak ? &row->visits : &row->size.visits;
}

enum status survey_visit(struct surveyed *row, struct stream_buffers *buffers, struct failure *f)
{
    struct failure here = {0};
    const enum status status =
        row->peak ? peak_measure(row->which, row->isa, row->workers, &row->operations, &row->visits,
                                 &here)
                  : stream_measure(row->which, row->workers, &row->size, buffers, &here);
    if (status == STATUS_OK || (status == STATUS_RESOURCE && visits_of(row)->count))
        return STATUS_OK;
    return fail(f, status, "%s", here.message);
}

static struct rate rate_of(const struct surveyed *row)
{
    return visits_rate(visits_of(row), row->peak ? row->operations : row->size.bytes);
}

static void fill_size(struct ceiling *c, const struct surveyed *row, const struct machine *m)
{
    const struct stream_level level = stream_level_of(m, row->workers, row->size.bytes);
    c->bytes = level.capacity_bytes;
    c->working_set = row->working_set > 0.0 ? row->working_set : row->size.bytes;
    c->bandwidth = rate_of(row);
    snprintf(c->level, sizeof c->level, "%s", level.name);
    snprintf(c->what, sizeof c->what, "%s", stream_passes[row->which].what);
    snprintf(c->stores, sizeof c->stores, "%s", stream_passes[row->which].stores);
    snprintf(c->isa, sizeof c->isa, "%s", isa_name(isa_best()));
}

struct ceiling survey_ceiling(const struct surveyed *row, const struct machine *m)
{
    struct ceiling c = ceiling_blank();
    c.workers = (double)row->workers;
    c.visits = (double)visits_of(row)->count;
    snprintf(c.host, sizeof c.host, "%s", m->host);
    if (!row->peak) {
        fill_size(&c, row, m);
        return c;
    }
    c.operations = rate_of(row);
    snprintf(c.what, sizeof c.what, "%s", peaks[row->which].name);
    snprintf(c.isa, sizeof c.isa, "%s", isa_name(row->isa));
    return c;
}

enum status survey_ceilings(const struct survey *s, const struct machine *m, struct ceilings *out,
                            struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < s->count; i++) {
        const struct ceiling row = survey_ceiling(&s->rows[i], m);
        status = ceilings_add(out, &row, f);
    }
    return status;
}

/* ---- rows of a file ------------------------------------------------------------------------- */

static bool find_peak(const struct ceiling *row, struct surveyed *out)
{
    out->peak = true;
    for (out->isa = ISA_BASELINE; out->isa < ISA_COUNT; out->isa++)
        for (out->which = 0; out->which < peak_count; out->which++)
            if (strcmp(row->isa, isa_name(out->isa)) == 0 &&
                strcmp(row->what, peaks[out->which].name) == 0)
                return !isa_missing(out->isa);
    return false;
}

/* The buffer is one that stream_measure rounds down to the same size again. */
static bool find_pass(const struct ceiling *row, struct surveyed *out)
{
    out->working_set = row->working_set;
    out->size.buffer_bytes = (int64_t)(row->working_set / row->workers) + LOOP_STEP;
    for (out->which = 0; out->which < stream_pass_count; out->which++)
        if (strcmp(row->what, stream_passes[out->which].what) == 0 &&
            strcmp(row->stores, stream_passes[out->which].stores) == 0)
            return true;
    return false;
}

bool survey_row_of(const struct ceiling *row, struct surveyed *out)
{
    *out = (struct surveyed){.workers = (int64_t)row->workers};
    return ceiling_is_peak(row) ? find_peak(row, out) : find_pass(row, out);
}

static const struct rate *measured(const struct ceiling *row)
{
    return ceiling_is_peak(row) ? &row->operations : &row->bandwidth;
}

/* Larger working sets are never faster: if a smaller one is measurably slower, it was disturbed. */
static bool is_exceeded(const struct ceiling *row, const struct ceiling *larger)
{
    return !ceiling_is_peak(row) && !ceiling_is_peak(larger) &&
           strcmp(row->what, larger->what) == 0 && strcmp(row->stores, larger->stores) == 0 &&
           row->workers == larger->workers && larger->working_set > row->working_set &&
           larger->bandwidth.lower > row->bandwidth.upper;
}

bool ceiling_is_doubtful(const struct ceilings *of_host, size_t row)
{
    const struct rate *rate = measured(&of_host->rows[row]);
    bool exceeded = false;
    for (size_t i = 0; i < of_host->count; i++)
        exceeded = exceeded || is_exceeded(&of_host->rows[row], &of_host->rows[i]);
    return exceeded || visits_are_apart(rate) || visits_were_faster(rate);
}
