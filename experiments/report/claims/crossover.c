#include "experiments/report/claims/crossover.h"

#include <math.h>
#include <stdlib.h>

static const double level = 0.05;

void crossover_add(struct crossover *c, const struct samples *s, double parameters,
                   const struct choice *first, const struct choice *second)
{
    if (!first->point || !second->point || c->count == CROSSOVER_PAIRS)
        return;
    struct crossover_pair *pair = &c->pairs[c->count];
    *pair = (struct crossover_pair){
        .parameters = parameters,
        .first = *first,
        .second = *second,
        .ratio = compare_choices(s, first, second, METRIC_TOTAL),
        .p_value = choices_p_value(s, first, second, METRIC_TOTAL),
    };
    c->count += isfinite(pair->ratio.value);
}

static int by_parameters(const void *a, const void *b)
{
    const struct crossover_pair *p = a, *q = b;
    return (p->parameters > q->parameters) - (p->parameters < q->parameters);
}

static void adjust(struct crossover *c)
{
    double p_values[CROSSOVER_PAIRS];
    for (size_t i = 0; i < c->count; i++)
        p_values[i] = c->pairs[i].p_value;
    const bool adjusted = adjust_p_values(p_values, c->count) == 0;
    for (size_t i = 0; i < c->count; i++)
        c->pairs[i].p_value = adjusted ? p_values[i] : (double)NAN;
}

static bool is_seen(const struct crossover_pair *p, bool second)
{
    return p->p_value < level && (p->ratio.value > 1.0) == second;
}

void crossover_find(struct crossover *c)
{
    qsort(c->pairs, c->count, sizeof *c->pairs, by_parameters);
    adjust(c);
    c->first = 0;
    c->second = c->count;
    while (c->first < c->count && is_seen(&c->pairs[c->first], false))
        c->first++;
    while (c->second > 0 && is_seen(&c->pairs[c->second - 1], true))
        c->second--;
}
