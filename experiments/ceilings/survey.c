#include "experiments/ceilings/survey.h"

#include <stdio.h>
#include <stdlib.h>

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
    c->working_set = row->size.bytes;
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

/* Larger working sets are never faster: if a smaller one is measurably slower, it was disturbed. */
static bool is_exceeded(const struct surveyed *row, const struct surveyed *larger)
{
    if (row->peak || larger->peak || row->which != larger->which ||
        row->workers != larger->workers || larger->size.bytes <= row->size.bytes)
        return false;
    const struct rate here = rate_of(row), there = rate_of(larger);
    return there.lower > here.upper;
}

bool survey_is_doubtful(const struct survey *s, size_t row)
{
    const struct rate rate = rate_of(&s->rows[row]);
    bool exceeded = false;
    for (size_t i = 0; i < s->count; i++)
        exceeded = exceeded || is_exceeded(&s->rows[row], &s->rows[i]);
    return exceeded || visits_are_apart(&rate);
}
