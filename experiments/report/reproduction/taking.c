#include "experiments/report/reproduction/taking.h"

#include "experiments/samples/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool condition_met(const struct condition *c, const struct record *r)
{
    const void *field = record_field(r, c->column);
    if (c->column->column.type == COLUMN_TEXT)
        return strcmp(field, c->value) == 0;
    return *(const int64_t *)field == strtoll(c->value, NULL, 10);
}

bool conditions_met(const struct conditions *c, const struct record *r)
{
    for (size_t i = 0; i < c->count; i++)
        if (!condition_met(&c->all[i], r))
            return false;
    return true;
}

bool measure_wants(const struct conditions *c, const struct point *p)
{
    static const struct wanted any = {.peers = true};
    return evidence_fits(p, &any) && conditions_met(c, &p->samples->identity);
}

/* The wanted points with the most elements; the caller frees them. NULL, and *count is 0, if memory
 * runs out. */
static const struct point **largest(const struct analysis *a, const struct conditions *wanted,
                                    size_t *count)
{
    const struct point **all = calloc(a->point_count + 1, sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!measure_wants(wanted, p) || (*count && p->elements < all[0]->elements))
            continue;
        if (*count && p->elements > all[0]->elements)
            *count = 0;
        all[(*count)++] = p;
    }
    return all;
}

struct choice measure_choice(const struct taking *t, size_t which)
{
    const struct analysis *a = &t->experiment->analysis;
    size_t count;
    const struct point **all = largest(a, &t->measure->points[which], &count);
    const struct choice choice = choice_of(&a->samples, all, count);
    free(all);
    return choice;
}

const struct point *measure_point(const struct taking *t, size_t which)
{
    return measure_choice(t, which).point;
}

double measure_number(const struct measure *m, size_t word)
{
    return strtod(m->words[word], NULL);
}

void measure_found(const struct taking *t, const struct point *p, double value,
                   struct interval interval)
{
    struct taken *out = t->out;
    if (!isfinite(value))
        return;
    out->found = true;
    out->value = value;
    out->interval = interval;
    out->point = p;
    out->trusted = p != NULL;
    out->trust = p ? p->trust : TRUST_PRECISE;
}
