#include "harness/limits/ceilings.h"

#include "harness/records/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(field, size, meaning)                                                                 \
    {                                                                                              \
#field, COLUMN_TEXT, offsetof(struct ceiling, field), size, meaning                        \
    }
#define REAL(field, name, meaning)                                                                 \
    {                                                                                              \
        name, COLUMN_REAL, offsetof(struct ceiling, field), sizeof(double), meaning                \
    }

static const struct column columns[] = {
    TEXT(level, CEILING_TEXT, "L1, L2, L3 or memory: what holds the working set"),
    REAL(bytes, "bytes", "capacity of the level"),
    REAL(workers, "workers", "at once"),
    REAL(bandwidth.value, "bandwidth_bytes_per_s", "upper quartile of the visits"),
    REAL(bandwidth.lower, "lower_bytes_per_s", "95 % interval of it"),
    REAL(bandwidth.upper, "upper_bytes_per_s", "95 % interval of it"),
    TEXT(what, CEILING_TEXT, "read, copy, pool, multiply_add, maximum or product"),
    TEXT(stores, CEILING_TEXT, "ordinary or streaming"),
    TEXT(isa, CEILING_TEXT, "instruction set"),
    REAL(operations.value, "operations_per_s",
         "upper quartile of the visits; a multiply-add counts 2"),
    REAL(operations.lower, "lower_operations_per_s", "95 % interval of it"),
    REAL(operations.upper, "upper_operations_per_s", "95 % interval of it"),
    REAL(working_set, "working_set_bytes", "what all workers pass over"),
    TEXT(host, CEILING_HOST, "machine"),
    REAL(bandwidth.median, "median_bytes_per_s", "median of the visits"),
    REAL(operations.median, "median_operations_per_s", "median of the visits"),
    REAL(bandwidth.highest, "highest_bytes_per_s", "fastest visit"),
    REAL(operations.highest, "highest_operations_per_s", "fastest visit"),
    REAL(visits, "visits", "visits ever made, those in the rounds of studies included"),
};
const struct schema ceiling_schema = {columns, sizeof columns / sizeof *columns,
                                      sizeof(struct ceiling)};

_Static_assert(TABLE_LINE_FITS(struct ceiling, columns), "a row must fit a line");

struct ceiling ceiling_blank(void)
{
    struct ceiling row;
    table_blank(&ceiling_schema, &row);
    return row;
}

bool ceiling_is_peak(const struct ceiling *row)
{
    return !row->level[0];
}

enum status ceilings_add(struct ceilings *c, const struct ceiling *row, struct failure *f)
{
    struct ceiling *grown = realloc(c->rows, (c->count + 1) * sizeof *grown);
    if (!grown)
        return fail(f, STATUS_RESOURCE, "no memory for %zu ceilings", c->count + 1);
    c->rows = grown;
    grown[c->count++] = *row;
    return STATUS_OK;
}

void ceilings_release(struct ceilings *c)
{
    free(c->rows);
    *c = (struct ceilings){0};
}

/* ---- the file ------------------------------------------------------------------------------- */

static bool take(const void *row, int64_t line, void *context)
{
    (void)line;
    struct ceiling taken = *(const struct ceiling *)row;
    if (!taken.what[0])
        snprintf(taken.what, sizeof taken.what, "read");
    return ceilings_add(context, &taken, NULL) == STATUS_OK;
}

/* The working set of a memory row in files that record none: so far beyond the level 3 cache that
 * little of the set can be cached. */
static double old_memory_set(const struct ceilings *c, double workers)
{
    double level3 = 0.0;
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->rows[i].level, "L3") == 0 && c->rows[i].workers == workers)
            level3 = c->rows[i].bytes;
    return level3 > 0.0 ? 2.0 * level3 : 256.0 * 1024.0 * 1024.0;
}

/* The oldest files have the median as the rate, and its interval; they have no highest sample. */
static void place_old_rate(struct rate *rate)
{
    if (isnan(rate->value) || !isnan(rate->highest))
        return;
    rate->highest = fmax(rate->value, rate->upper);
    if (isnan(rate->median) || isnan(rate->upper))
        return;
    rate->value = rate->upper;
    rate->lower = rate->median;
    rate->upper = rate->highest;
}

static void place_old_rows(struct ceilings *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct ceiling *row = &c->rows[i];
        place_old_rate(&row->bandwidth);
        place_old_rate(&row->operations);
        if (!ceiling_is_peak(row) && isnan(row->working_set))
            row->working_set =
                isnan(row->bytes) ? old_memory_set(c, row->workers) : 0.5 * row->bytes;
    }
}

enum status ceilings_read(struct ceilings *c, const char *path, struct failure *f)
{
    *c = (struct ceilings){0};
    if (!table_is_begun(path))
        return STATUS_OK;
    const enum status status = table_read(path, &ceiling_schema, take, c, NULL, f);
    if (status == STATUS_OK)
        place_old_rows(c);
    else
        ceilings_release(c);
    return status;
}

/* ---- several measurements ------------------------------------------------------------------- */

/* A bandwidth is a property of the machine, whatever instruction set it was measured with; a peak
 * is a property of the set. */
static bool same_ceiling(const struct ceiling *a, const struct ceiling *b)
{
    const bool peak = ceiling_is_peak(a);
    return strcmp(a->what, b->what) == 0 && peak == ceiling_is_peak(b) &&
           strcmp(a->stores, b->stores) == 0 && a->workers == b->workers &&
           strcmp(a->host, b->host) == 0 &&
           (peak ? strcmp(a->isa, b->isa) == 0 : a->working_set == b->working_set);
}

static const struct rate *rate_of(const struct ceiling *row)
{
    return ceiling_is_peak(row) ? &row->operations : &row->bandwidth;
}

/* True if `one` exceeds the interval of `other` with its own interval; a rate without an interval
 * counts as a single value. */
static bool is_faster(const struct rate *one, const struct rate *other)
{
    return (isnan(one->lower) ? one->value : one->lower) > fmax(other->value, other->upper);
}

/* True if only `one` has an interval: too few visits are no reason to give one up. */
static bool is_surer(const struct rate *one, const struct rate *other)
{
    return !isnan(one->lower) && isnan(other->lower);
}

static struct ceiling *find_same(const struct ceilings *c, const struct ceiling *row)
{
    for (size_t i = 0; i < c->count; i++)
        if (same_ceiling(&c->rows[i], row))
            return &c->rows[i];
    return NULL;
}

/* Makes `row` that of all visits of it and of `other`; its rate stays. */
static void count_visits_of(struct ceiling *row, const struct ceiling *other)
{
    row->bandwidth.highest = fmax(row->bandwidth.highest, other->bandwidth.highest);
    row->operations.highest = fmax(row->operations.highest, other->operations.highest);
    row->visits = isnan(row->visits)     ? other->visits
                  : isnan(other->visits) ? row->visits
                                         : row->visits + other->visits;
}

static void replace(struct ceiling *row, const struct ceiling *by)
{
    const struct ceiling old = *row;
    *row = *by;
    count_visits_of(row, &old);
}

enum status ceilings_keep_faster(struct ceilings *now, const struct ceilings *before,
                                 struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < before->count; i++) {
        const struct ceiling *old = &before->rows[i];
        struct ceiling *same = find_same(now, old);
        if (!old->host[0])
            continue;
        if (!same)
            status = ceilings_add(now, old, f);
        else if (is_surer(rate_of(old), rate_of(same)) || is_faster(rate_of(old), rate_of(same)))
            replace(same, old);
        else
            count_visits_of(same, old);
    }
    return status;
}

void ceilings_add_visits(struct ceilings *c, const struct ceiling *seen)
{
    struct ceiling *row = find_same(c, seen);
    if (!row)
        return;
    const struct rate *now = rate_of(seen), *before = rate_of(row);
    if (!isnan(now->lower) && (isnan(before->lower) || is_faster(now, before)))
        replace(row, seen);
    else
        count_visits_of(row, seen);
}

static enum status add_rows_of(struct ceilings *out, const struct ceilings *all, const char *host,
                               struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < all->count; i++)
        if (strcmp(all->rows[i].host, host) == 0)
            status = ceilings_add(out, &all->rows[i], f);
    return status;
}

enum status ceilings_of_host(struct ceilings *out, const struct ceilings *all, const char *host,
                             struct failure *f)
{
    *out = (struct ceilings){0};
    enum status status = add_rows_of(out, all, host, f);
    if (status == STATUS_OK && out->count == 0)
        status = add_rows_of(out, all, "", f);
    if (status != STATUS_OK)
        ceilings_release(out);
    return status;
}
