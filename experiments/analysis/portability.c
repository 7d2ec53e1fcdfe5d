#include "experiments/analysis/portability.h"

#include <math.h>

/* One machine's inverse efficiency in a resample: seconds / those of the fastest method, or / a
 * constant. The fastest method relative to itself has no spread. */
static double inverse_in(const struct efficiency *e, size_t draw)
{
    double deviation = 0.0;
    if (e->seconds != e->fastest)
        deviation = e->seconds->draws[draw] - (e->fastest ? e->fastest->draws[draw] : 0.0);
    return exp(deviation) / e->value;
}

/* Sums over the times that have a spread. Each variance is weighted by the square of its time's
 * part in the sum of inverse efficiencies. */
struct spread {
    double variance, by_freedom;
};

/* Returns false if the spread of a time is unknown. */
static bool add_spread(struct spread *s, const struct estimate *e, double part)
{
    if (!e)
        return true;
    const double variance = part * part * e->variance;
    s->variance += variance;
    s->by_freedom += variance * variance / e->freedom;
    return e->draws && e->freedom >= 1.0;
}

/* Degrees of freedom of the whole (Welch 1947, Satterthwaite 1946); infinity if nothing has a
 * spread, NaN if a spread is unknown. */
static double joint_freedom(const struct efficiency *e, size_t count, double value)
{
    struct spread s = {0.0, 0.0};
    for (size_t i = 0; i < count; i++) {
        const double part = value / ((double)count * e[i].value);
        if (e[i].seconds != e[i].fastest &&
            !(add_spread(&s, e[i].seconds, part) && add_spread(&s, e[i].fastest, part)))
            return NAN;
    }
    return s.variance > 0.0 ? s.variance * s.variance / s.by_freedom : INFINITY;
}

static struct interval interval_of(const struct efficiency *e, size_t count, double value)
{
    double draws[RESAMPLES];
    const double freedom = joint_freedom(e, count, value);
    if (isnan(freedom))
        return no_interval;
    if (isinf(freedom))
        return (struct interval){value, value};
    for (size_t i = 0; i < RESAMPLES; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < count; j++)
            sum += inverse_in(&e[j], i);
        draws[i] = log((double)count / sum) - log(value);
    }
    const struct interval logs = draws_interval(log(value), draws, RESAMPLES, freedom);
    return (struct interval){exp(logs.lower), exp(logs.upper)};
}

struct portability portability_of(const struct efficiency *e, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (e[i].value == 0.0)
            return (struct portability){0.0, {0.0, 0.0}};
        sum += 1.0 / e[i].value;
    }
    const double value = (double)count / sum;
    if (!isfinite(value) || value <= 0.0)
        return (struct portability){NAN, {NAN, NAN}};
    return (struct portability){value, interval_of(e, count, value)};
}
