#include "experiments/analysis/selections/crossover.h"

#include <math.h>
#include <stdlib.h>

static const double level = 0.05;

static bool reserve_one(struct crossover *c)
{
    const size_t capacity = c->capacity > 0 ? 2 * c->capacity : 16;
    if (c->count < c->capacity)
        return true;
    struct crossover_pair *pairs = realloc(c->pairs, capacity * sizeof *pairs);
    c->lacks_memory = c->lacks_memory || !pairs;
    if (pairs) {
        c->pairs = pairs;
        c->capacity = capacity;
    }
    return pairs != NULL;
}

void crossover_add(struct crossover *c, const struct samples *s, double parameters,
                   const struct choice *first, const struct choice *second)
{
    if (!first->point || !second->point || !reserve_one(c))
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
    double *p_values = malloc((c->count + 1) * sizeof *p_values);
    for (size_t i = 0; p_values && i < c->count; i++)
        p_values[i] = c->pairs[i].p_value;
    const bool adjusted = p_values && adjust_p_values(p_values, c->count) == 0;
    for (size_t i = 0; adjusted && i < c->count; i++)
        c->pairs[i].p_value = p_values[i];
    c->lacks_memory = c->lacks_memory || !adjusted;
    free(p_values);
}

bool crossover_is_significant(const struct crossover_pair *p, bool second)
{
    return p->p_value < level && (p->ratio.value > 1.0) == second;
}

static void count_changes(struct crossover *c)
{
    size_t last = c->count; /* index of the last significant difference */
    c->known = c->changes = c->before = c->after = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct crossover_pair *p = &c->pairs[i];
        const bool second = crossover_is_significant(p, true);
        c->known += !isnan(p->p_value);
        if (!second && !crossover_is_significant(p, false))
            continue;
        if (last < c->count && crossover_is_significant(&c->pairs[last], !second)) {
            c->changes++;
            c->before = last;
            c->after = i;
        }
        last = i;
    }
}

void crossover_find(struct crossover *c)
{
    if (c->count > 0)
        qsort(c->pairs, c->count, sizeof *c->pairs, by_parameters);
    adjust(c);
    count_changes(c);
    c->first = 0;
    c->second = c->count;
    while (c->first < c->count && crossover_is_significant(&c->pairs[c->first], false))
        c->first++;
    while (c->second > 0 && crossover_is_significant(&c->pairs[c->second - 1], true))
        c->second--;
}

void crossover_release(struct crossover *c)
{
    free(c->pairs);
    *c = (struct crossover){.count = 0};
}
