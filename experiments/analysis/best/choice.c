#include "experiments/analysis/best/choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROUNDS = 6 }; /* fewest with a 95 % interval of the median between two rounds */

/* Each half chooses for the other, so the two are not independent: their series is less spread out
 * than the same number of independent rounds. At 97.5 %, nine rounds give the range, and 18 the 4th
 * to the 15th; six give only their range, at 95 %. */
static double confidence_of(size_t rounds)
{
    size_t lower, upper;
    return median_interval_ranks(rounds, 0.975, &lower, &upper) == 0 ? 0.975 : 0.95;
}

struct choice choice_given(const struct point *p)
{
    return (struct choice){p, {p, p}};
}

bool choice_is_split(const struct choice *c)
{
    return c->timed[0] != c->point || c->timed[1] != c->point;
}

/* The median over the launches of one half; NaN if there are none, or memory runs out. */
static double half_median(const struct samples *s, const struct point *p, size_t half)
{
    double *times = malloc((p->samples->count + 1) * sizeof *times), median = NAN;
    size_t n = 0;
    for (size_t i = 0; times && i < p->samples->count; i++)
        if (launch_half(s, p, i) == half && p->medians[METRIC_TOTAL][i] > 0.0)
            times[n++] = p->medians[METRIC_TOTAL][i];
    if (n > 0)
        median = median_of(times, n);
    free(times);
    return median;
}

/* As point_stands_before, by these times; if the slowest is chosen, by the longer one. */
static bool stands_before(const struct point *p, double time, const struct point *q, double other,
                          bool slowest)
{
    const bool doubted = p->trust >= TRUST_SUSPECT, other_doubted = q->trust >= TRUST_SUSPECT;
    if (doubted != other_doubted)
        return other_doubted;
    return slowest ? time > other : time < other;
}

static const struct point *first_of_half(const struct samples *s, const struct point *const *points,
                                         size_t count, size_t half, bool slowest)
{
    const struct point *best = NULL;
    double least = NAN;
    for (size_t i = 0; i < count; i++) {
        const double time = half_median(s, points[i], half);
        if (isnan(time))
            return NULL;
        if (!best || stands_before(points[i], time, best, least, slowest)) {
            best = points[i];
            least = time;
        }
    }
    return best;
}

static double total(const struct point *p)
{
    return p->seconds[METRIC_TOTAL].value;
}

static struct choice choose(const struct samples *s, const struct point *const *points,
                            size_t count, bool slowest)
{
    const struct point *best = NULL;
    bool whole = count > 1;
    for (size_t i = 0; i < count; i++) {
        if (!best || stands_before(points[i], total(points[i]), best, total(best), slowest))
            best = points[i];
        whole = whole && points[i]->seconds[METRIC_TOTAL].launches >= LEAST_ROUNDS;
    }
    const struct point *first = whole ? first_of_half(s, points, count, 0, slowest) : NULL;
    const struct point *second = whole ? first_of_half(s, points, count, 1, slowest) : NULL;
    if (!first || !second)
        return choice_given(best);
    return (struct choice){first == second ? first : best, {second, first}};
}

struct choice choice_of(const struct samples *s, const struct point *const *points, size_t count)
{
    return choose(s, points, count, false);
}

struct choice choice_of_slowest(const struct samples *s, const struct point *const *points,
                                size_t count)
{
    return choose(s, points, count, true);
}

struct choice choice_of_companions(const struct choice *c, choice_companion *companion,
                                   const void *context)
{
    struct choice companions = choice_given(c->point ? companion(c->point, context) : NULL);
    const struct point *timed[HALVES];
    for (size_t half = 0; half < HALVES; half++)
        timed[half] = c->timed[half] ? companion(c->timed[half], context) : NULL;
    if (companions.point && timed[0] && timed[1])
        memcpy(companions.timed, timed, sizeof timed);
    return companions;
}

/* Stores the times of the launches in one half of the rounds; returns their number. */
static size_t gather_half(const struct samples *s, const struct point *p, enum metric metric,
                          size_t half, double *times)
{
    size_t n = 0;
    for (size_t i = 0; i < p->samples->count; i++)
        if (launch_half(s, p, i) == half && p->medians[metric][i] > 0.0)
            times[n++] = p->medians[metric][i];
    return n;
}

struct estimate choice_seconds(const struct samples *s, const struct choice *c, enum metric metric)
{
    struct estimate e = c->point->seconds[metric];
    e.draws = NULL; /* owned by the point */
    if (!choice_is_split(c))
        return e;
    const size_t capacity = c->timed[0]->samples->count + c->timed[1]->samples->count;
    double *times = malloc((capacity + 1) * sizeof *times);
    size_t n = 0;
    for (size_t half = 0; times && half < HALVES; half++)
        n += gather_half(s, c->timed[half], metric, half, times + n);
    if (n >= LEAST_ROUNDS) {
        size_t lower, upper;
        e.value = median_of(times, n); /* sorts them */
        median_interval_ranks(n, confidence_of(n), &lower, &upper);
        e.interval =
            round_effects_widen((struct interval){times[lower - 1], times[upper - 1]}, e.value,
                                hypot(c->point->common[metric], c->point->between[metric]));
        e.launches = n;
    }
    free(times);
    return e;
}

size_t choice_logs(const struct samples *s, const struct choice *a, const struct choice *b,
                   enum metric metric, double *logs)
{
    size_t n = 0;
    for (size_t half = 0; half < HALVES; half++)
        n += paired_logs(s, a->timed[half], b->timed[half], metric, half, logs + n);
    return n;
}

static void hold(struct interval *i, double value)
{
    i->lower = fmin(i->lower, value);
    i->upper = fmax(i->upper, value);
}

struct comparison_of_points compare_choices(const struct samples *s, const struct choice *numerator,
                                            const struct choice *denominator, enum metric metric)
{
    const struct point *p = numerator->point, *q = denominator->point;
    struct comparison_of_points c = compare_points(s, p, q, metric);
    if (!choice_is_split(numerator) && !choice_is_split(denominator))
        return c;
    const double quotient =
        choice_seconds(s, numerator, metric).value / choice_seconds(s, denominator, metric).value;
    const size_t capacity =
        numerator->timed[0]->samples->count + numerator->timed[1]->samples->count;
    double *logs = malloc((capacity + 1) * sizeof *logs);
    const size_t pairs = logs ? choice_logs(s, numerator, denominator, metric, logs) : 0;
    if (pairs >= LEAST_ROUNDS)
        paired_comparison(&c, logs, pairs, confidence_of(pairs), quotient);
    hold(&c.interval, quotient);
    hold(&c.interval, p->seconds[metric].value / q->seconds[metric].value);
    free(logs);
    return c;
}
