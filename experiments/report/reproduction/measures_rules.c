/* Measures that rules on claims need: how the time grows along a column, and the ratio of two
 * choices of points along a column. */
#include "experiments/report/reproduction/taking.h"

#include "experiments/analysis/phase_time.h"
#include "experiments/samples/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALONG_PLACES = 64 };

/* Points of one or two choices at one value of the column. */
struct at {
    int64_t x;
    const struct point *of[MEASURE_POINTS]; /* NULL: not measured */
};

struct along {
    struct at all[ALONG_PLACES]; /* in ascending x */
    size_t count;
};

static struct at *at_x(struct along *a, int64_t x)
{
    size_t place = 0;
    while (place < a->count && a->all[place].x < x)
        place++;
    if (place < a->count && a->all[place].x == x)
        return &a->all[place];
    if (a->count == ALONG_PLACES)
        return NULL;
    memmove(&a->all[place + 1], &a->all[place], (a->count - place) * sizeof *a->all);
    a->all[place] = (struct at){.x = x};
    a->count++;
    return &a->all[place];
}

/* The usable points of each choice by the column: of several at one value, the fastest that is not
 * doubtful. */
static struct along along(const struct taking *t, const char *column)
{
    static const struct wanted any = {.peers = true};
    struct along out = {.count = 0};
    const struct analysis *a = &t->experiment->analysis;
    const struct record_column *c = record_column_find(column);
    for (size_t i = 0; i < a->point_count; i++)
        for (size_t j = 0; j < t->measure->point_count; j++) {
            const struct point *p = &a->points[i];
            const struct record *r = &p->samples->identity;
            if (p->shares_cores || !evidence_fits(p, &any) ||
                !conditions_met(&t->measure->points[j], r))
                continue;
            struct at *at = at_x(&out, *(const int64_t *)record_field(r, c));
            if (at && (!at->of[j] || point_stands_before(p, at->of[j])))
                at->of[j] = p;
        }
    return out;
}

/* ---- growth ---------------------------------------------------------------------------------- */

/* Sizes within this factor of the largest show how the work grows, smaller ones the cost of a call
 * (analysis/fits/curve_fits.c). */
static const double growth_span = 16.0;

static struct estimate seconds_of(const struct taking *t, const struct point *p)
{
    const char *phase = t->measure->words[0];
    const enum phase of = strcmp(phase, "total") == 0     ? PHASE_TOTAL
                          : strcmp(phase, "compute") == 0 ? PHASE_COMPUTE
                                                          : PHASE_PRODUCT;
    return point_phase_seconds(&t->experiment->analysis.samples, p, of);
}

/* Fits a law to the seconds along the column. The last point represents it; *trust is that of the
 * most doubtful point. */
static const struct point *fit_along(const struct taking *t, enum fit_model model, struct fit *fit,
                                     enum trust *trust)
{
    const struct along a = along(t, t->measure->words[1]);
    struct estimate seconds[ALONG_PLACES];
    struct fit_point points[ALONG_PLACES];
    const struct point *last = NULL;
    size_t count = 0;
    *trust = TRUST_PRECISE;
    for (size_t i = 0; i < a.count; i++) {
        if (!a.all[i].of[0] || (double)a.all[i].x * growth_span < (double)a.all[a.count - 1].x)
            continue;
        last = a.all[i].of[0];
        *trust = last->trust > *trust ? last->trust : *trust;
        seconds[count] = seconds_of(t, last);
        points[count] = (struct fit_point){(double)a.all[i].x, 1.0, &seconds[count], NULL};
        count++;
    }
    fit_curve(fit, model, points, count);
    for (size_t i = 0; i < count; i++)
        estimate_free(&seconds[i]);
    return last;
}

/* exponent PHASE COLUMN: a of the law T = c x^a; of a bent curve the exponents at its ends. */
void take_exponent(const struct taking *t)
{
    struct fit fit;
    enum trust trust;
    const struct point *last = fit_along(t, FIT_POWER, &fit, &trust);
    if (!last || (fit.reason[0] && !fit.bent))
        return;
    const struct interval ends = {fmin(fit.end_exponent[0], fit.end_exponent[1]),
                                  fmax(fit.end_exponent[0], fit.end_exponent[1])};
    measure_found(t, last, fit.value[1], fit.bent ? ends : fit.interval[1]);
    t->out->trust = trust;
}

/* exponential PHASE COLUMN: residuals of an exponential / residuals of a power: above 1, the power
 * describes the times better. Residuals within a factor of two of each other decide nothing. */
void take_exponential(const struct taking *t)
{
    static const double undecided = 2.0;
    struct fit power, exponential;
    enum trust trust;
    const struct point *last = fit_along(t, FIT_POWER, &power, &trust);
    fit_along(t, FIT_EXPONENTIAL, &exponential, &trust);
    if (!last || !(power.error > 0.0 && exponential.error > 0.0))
        return;
    const double ratio = exponential.error / power.error;
    measure_found(t, last, ratio, (struct interval){ratio / undecided, ratio * undecided});
    t->out->trust = trust;
}

/* ---- ratios along a column ------------------------------------------------------------------- */

/* True if a ratio is preferred to the one that is chosen, which stands before it. */
static bool is_preferred(enum along_which which, double ratio, double chosen)
{
    return which == ALONG_LEAST  ? ratio < chosen
           : which == ALONG_MOST ? ratio > chosen
                                 : which == ALONG_LAST;
}

/* Takes total time of the first point / of the second, at the preferred x of those with both. */
void take_along(const struct taking *t)
{
    const struct along a = along(t, t->measure->words[0]);
    struct comparison_of_points chosen = {NAN, {NAN, NAN}, 0};
    const struct at *where = NULL;
    for (size_t i = 0; i < a.count; i++) {
        const struct at *at = &a.all[i];
        if (!at->of[0] || !at->of[1])
            continue;
        const struct comparison_of_points c =
            compare_points(&t->experiment->analysis.samples, at->of[0], at->of[1], METRIC_TOTAL);
        if (!isfinite(c.value) || (where && !is_preferred(t->variant, c.value, chosen.value)))
            continue;
        chosen = c;
        where = at;
    }
    if (!where)
        return;
    measure_found(t, where->of[0], chosen.value, chosen.interval);
    t->out->trust = comparison_trust(where->of[0], where->of[1], &chosen);
}

/* phase_ratio update: the share of the phase in the first point / in the second. The interval has
 * the quotients of the intervals' ends, and so is not too narrow. */
void take_phase_ratio(const struct taking *t)
{
    const struct samples *s = &t->experiment->analysis.samples;
    const struct point *p = measure_point(t, 0), *q = measure_point(t, 1);
    if (!p || !q)
        return;
    struct estimate first = point_phase_share(s, p, PHASE_UPDATE),
                    second = point_phase_share(s, q, PHASE_UPDATE);
    const struct comparison_of_points c = {first.value / second.value,
                                           {first.interval.lower / second.interval.upper,
                                            first.interval.upper / second.interval.lower},
                                           0};
    measure_found(t, p, c.value, c.interval);
    t->out->trust = comparison_trust(p, q, &c);
    estimate_free(&first);
    estimate_free(&second);
}

/* ---- transfers ------------------------------------------------------------------------------- */

/* transfers: share of the total time in which data move to the GPU and back. The interval is the
 * sum of both phases' intervals, and so not too narrow. */
void take_transfers(const struct taking *t)
{
    const struct samples *s = &t->experiment->analysis.samples;
    const struct point *p = measure_point(t, 0);
    if (!p)
        return;
    struct estimate to = point_phase_share(s, p, PHASE_DISTRIBUTE),
                    back = point_phase_share(s, p, PHASE_COLLECT);
    measure_found(t, p, to.value + back.value,
                  (struct interval){to.interval.lower + back.interval.lower,
                                    to.interval.upper + back.interval.upper});
    estimate_free(&to);
    estimate_free(&back);
}
