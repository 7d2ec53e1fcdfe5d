#include "experiments/analysis/paired_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct launch *launch_of(const struct samples *s, const struct point *p, size_t i)
{
    return &s->launches[p->samples->first + i];
}

/* Equal texts of one set are stored once, so pointers can be compared. */
static bool same_round(const struct launch *a, const struct launch *b)
{
    return a->round != RECORD_NO_INT && a->round == b->round && a->host == b->host;
}

/* The launch of q in the same process and round; -1: none. */
static ptrdiff_t find_in_process(const struct samples *s, const struct launch *of,
                                 const struct point *q)
{
    for (size_t i = 0; i < q->samples->count; i++) {
        const struct launch *l = launch_of(s, q, i);
        if (l->run_id == of->run_id && of->run_id[0] && same_round(l, of))
            return (ptrdiff_t)i;
    }
    return -1;
}

/* Number of launches of p before the i-th in the same round. */
static size_t place_in_round(const struct samples *s, const struct point *p, size_t i)
{
    size_t before = 0;
    for (size_t j = 0; j < i; j++)
        before += same_round(launch_of(s, p, j), launch_of(s, p, i));
    return before;
}

ptrdiff_t paired_launch(const struct samples *s, const struct point *p, size_t i,
                        const struct point *q)
{
    const struct launch *mine = launch_of(s, p, i);
    const ptrdiff_t together = find_in_process(s, mine, q);
    if (together >= 0)
        return together;
    const size_t place = place_in_round(s, p, i);
    for (size_t j = 0; j < q->samples->count; j++) {
        const struct launch *other = launch_of(s, q, j);
        if (same_round(mine, other) && place_in_round(s, q, j) == place)
            return find_in_process(s, other, p) < 0 ? (ptrdiff_t)j : -1;
    }
    return -1;
}

size_t launch_half(const struct samples *s, const struct point *p, size_t i)
{
    const int64_t round = launch_of(s, p, i)->round;
    return (size_t)((round == RECORD_NO_INT ? (int64_t)i : round) & 1);
}

size_t paired_logs(const struct samples *s, const struct point *p, const struct point *q,
                   enum metric metric, size_t half, double *logs)
{
    size_t n = 0;
    for (size_t i = 0; i < p->samples->count; i++) {
        const ptrdiff_t j = launch_half(s, p, i) == half ? paired_launch(s, p, i, q) : -1;
        const double mine = p->medians[metric][i];
        const double other = j < 0 ? (double)NAN : q->medians[metric][j];
        if (mine > 0.0 && other > 0.0)
            logs[n++] = log(mine) - log(other);
    }
    return n;
}

bool paired_comparison(struct comparison_of_points *c, double *logs, size_t count,
                       double confidence, double quotient)
{
    size_t lower, upper;
    if (median_interval_ranks(count, confidence, &lower, &upper) != 0)
        return false;
    c->value = exp(median_of(logs, count)); /* sorts them */
    c->interval = (struct interval){fmin(exp(logs[lower - 1]), quotient),
                                    fmax(exp(logs[upper - 1]), quotient)};
    c->pairs = count;
    return true;
}

struct comparison_of_points compare_points(const struct samples *s, const struct point *numerator,
                                           const struct point *denominator, enum metric metric)
{
    const struct estimate *a = &numerator->seconds[metric], *b = &denominator->seconds[metric];
    struct comparison_of_points c = {NAN, {NAN, NAN}, 0};
    if (!(a->value > 0.0) || !(b->value > 0.0))
        return c;
    if (numerator == denominator)
        return (struct comparison_of_points){1.0, {1.0, 1.0}, a->launches};
    double *logs = malloc((numerator->samples->count + 1) * sizeof *logs);
    size_t pairs = 0;
    for (size_t half = 0; logs && half < 2; half++)
        pairs += paired_logs(s, numerator, denominator, metric, half, logs + pairs);
    if (!paired_comparison(&c, logs, pairs, 0.95, a->value / b->value)) {
        c.value = a->value / b->value;
        c.interval = estimate_ratio_interval(a, b);
    }
    free(logs);
    return c;
}

enum trust comparison_trust(const struct point *numerator, const struct point *denominator,
                            const struct comparison_of_points *c)
{
    const enum trust graver =
        numerator->trust > denominator->trust ? numerator->trust : denominator->trust;
    const double half = 0.5 * (c->interval.upper - c->interval.lower) / c->value;
    if (graver > TRUST_ROUGH)
        return graver;
    return half <= ratio_target ? TRUST_PRECISE : TRUST_ROUGH;
}
