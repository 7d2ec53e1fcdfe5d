#include "experiments/analysis/fits/round_fits.h"

#include "experiments/analysis/paired_times.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_ROUNDS = 6 }; /* fewest with a 95 % interval of the median between two rounds */

double round_share(bool weak, const double *workers, const double *seconds, size_t count)
{
    /* The normal equations of x c0 + y c1 = 1: divided by T, both laws are linear. */
    double xx = 0.0, xy = 0.0, yy = 0.0, x1 = 0.0, y1 = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double x = weak ? seconds[i] / workers[i] : 1.0 / seconds[i];
        const double y = weak ? seconds[i] : 1.0 / (workers[i] * seconds[i]);
        xx += x * x;
        xy += x * y;
        yy += y * y;
        x1 += x;
        y1 += y;
    }
    /* Cramer's rule; f = c1 / (c0 + c1), so the determinant cancels. */
    const double c0 = yy * x1 - xy * y1, c1 = xx * y1 - xy * x1, share = c1 / (c0 + c1);
    return isfinite(share) ? share : (double)NAN;
}

struct round_fit round_fit_of(double *shares, size_t rounds)
{
    struct round_fit fit = {NAN, {NAN, NAN}, rounds};
    size_t lower, upper;
    if (rounds == 0)
        return fit;
    fit.share = median_of(shares, rounds); /* sorts them */
    if (rounds >= LEAST_ROUNDS && median_interval_ranks(rounds, 0.95, &lower, &upper) == 0)
        fit.interval = (struct interval){shares[lower - 1], shares[upper - 1]};
    return fit;
}

struct round_fit round_fit_widened(struct round_fit rounds, bool weak, const struct fit *fit)
{
    const struct interval of = fit->interval[1], /* for weak scaling, of s = 1 - f */
        own = weak ? (struct interval){1.0 - of.upper, 1.0 - of.lower} : of;
    if (fit->widened && isfinite(rounds.interval.lower)) {
        rounds.interval.lower = fmin(rounds.interval.lower, own.lower);
        rounds.interval.upper = fmax(rounds.interval.upper, own.upper);
    }
    return rounds;
}

static bool may_take_part(const struct point *p)
{
    return p->trust != TRUST_INVALID && !p->shares_cores && p->medians[METRIC_TOTAL];
}

/* The share in the round of one launch of `first`; NaN if a worker count was not measured in it. */
static double share_of_round(const struct analysis *a, const struct curve *c,
                             const struct point *first, size_t launch, double *workers,
                             double *seconds)
{
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct point *p = &a->points[c->points[i]];
        if (!may_take_part(p))
            continue;
        const ptrdiff_t at =
            p == first ? (ptrdiff_t)launch : paired_launch(&a->samples, first, launch, p);
        workers[count] = p->workers;
        seconds[count] = at < 0 ? (double)NAN : p->medians[METRIC_TOTAL][at];
        if (!(seconds[count++] > 0.0))
            return NAN;
    }
    return round_share(c->kind == CURVE_WEAK, workers, seconds, count);
}

enum status round_fit_curve(struct round_fit *out, const struct analysis *a, const struct curve *c,
                            struct failure *f)
{
    const struct point *first = NULL;
    for (size_t i = 0; i < c->count && !first; i++)
        first = may_take_part(&a->points[c->points[i]]) ? &a->points[c->points[i]] : NULL;
    const size_t launches = first ? first->samples->count : 0;
    double *shares = malloc((launches + 2 * c->count + 1) * sizeof *shares);
    size_t rounds = 0;
    *out = round_fit_of(NULL, 0);
    if (!shares)
        return fail(f, STATUS_RESOURCE, "not enough memory for the fits of %s", a->name);
    for (size_t i = 0; i < launches; i++) {
        const double share =
            share_of_round(a, c, first, i, shares + launches, shares + launches + c->count);
        if (isfinite(share))
            shares[rounds++] = share;
    }
    *out = round_fit_of(shares, rounds);
    free(shares);
    return STATUS_OK;
}
