#include "experiments/analysis/analysis.h"
#include "experiments/analysis/paired_times.h"
#include "harness/base/statistics.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- draws of several points together -------------------------------------------------------- */

/* Resamples of the times of several points together. Whole rounds are drawn, so every resample
 * keeps the noise that the points of a round have in common. The drift of the machine then does not
 * count as misfit of a law, nor does it make its parameters look more precise. */

enum { LEAST_ROUNDS = 6, SEED = 35 };

/* Stores the logarithms of the times of one round, one per point, `stride` elements apart. Returns
 * false if a point has no time in it. */
static bool gather_round(const struct samples *s, const struct point *const *points, size_t count,
                         enum metric metric, size_t launch, double *logs, size_t stride)
{
    for (size_t i = 0; i < count; i++) {
        const ptrdiff_t at =
            i == 0 ? (ptrdiff_t)launch : paired_launch(s, points[0], launch, points[i]);
        const double seconds = at < 0 ? (double)NAN : points[i]->medians[metric][at];
        if (!(seconds > 0.0))
            return false;
        logs[i * stride] = log(seconds);
    }
    return true;
}

struct drawing {
    const double *logs; /* [count][most]: those of one point after another */
    size_t rounds, most, count;
    size_t *order; /* [count][most]: of each point the rounds in ascending order */
    size_t *times; /* [most]: how often a resample has each round */
    gsl_rng *rng;
};

/* Sorts the rounds of a point by their times. */
static void sort_rounds(const struct drawing *d, size_t point)
{
    const double *logs = d->logs + point * d->most;
    size_t *order = d->order + point * d->most;
    for (size_t i = 0; i < d->rounds; i++) {
        size_t at = i;
        for (; at > 0 && logs[order[at - 1]] > logs[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static double median_of_rounds(const struct drawing *d, size_t point)
{
    return median_of_repeated(d->logs + point * d->most, d->order + point * d->most, d->times,
                              d->rounds);
}

static void draw_all(const struct drawing *d, double *centres, double *out)
{
    const double inflate = sqrt((double)d->rounds / ((double)d->rounds - 1.0));
    for (size_t i = 0; i < d->rounds; i++)
        d->times[i] = 1;
    for (size_t i = 0; i < d->count; i++) {
        sort_rounds(d, i);
        centres[i] = median_of_rounds(d, i);
    }
    for (size_t draw = 0; draw < RESAMPLES; draw++) {
        memset(d->times, 0, d->rounds * sizeof *d->times);
        for (size_t i = 0; i < d->rounds; i++)
            d->times[gsl_rng_uniform_int(d->rng, d->rounds)]++;
        for (size_t i = 0; i < d->count; i++)
            out[i * RESAMPLES + draw] = inflate * (median_of_rounds(d, i) - centres[i]);
    }
}

/* Returns RESAMPLES deviations of the logarithm of each point's time, point by point; the caller
 * frees them. They are scaled, because m rounds show only (m - 1) / m of their variance about their
 * own centre. NULL if fewer than six rounds measured all of the points, or memory runs out: each
 * point is then drawn separately. The same samples give the same draws. */
static double *joint_draws(const struct samples *s, const struct point *const *points, size_t count,
                           enum metric metric)
{
    const size_t most = count ? points[0]->samples->count : 0;
    if (count == 0 || most < LEAST_ROUNDS)
        return NULL;
    double *logs = malloc(most * count * sizeof *logs);
    double *out = malloc(count * RESAMPLES * sizeof *out);
    double *centres = malloc(count * sizeof *centres);
    struct drawing d = {.logs = logs,
                        .most = most,
                        .count = count,
                        .order = malloc(most * count * sizeof *d.order),
                        .times = malloc(most * sizeof *d.times),
                        .rng = gsl_rng_alloc(gsl_rng_mt19937)};
    const bool whole = logs && out && centres && d.order && d.times && d.rng;
    for (size_t i = 0; whole && i < most; i++)
        d.rounds += gather_round(s, points, count, metric, i, logs + d.rounds, most);
    const bool enough = whole && d.rounds >= LEAST_ROUNDS;
    if (enough) {
        gsl_rng_set(d.rng, SEED);
        draw_all(&d, centres, out);
    }
    gsl_rng_free(d.rng);
    free(d.times);
    free(d.order);
    free(centres);
    free(logs);
    if (!enough)
        free(out);
    return enough ? out : NULL;
}

/* ---- the fits of a curve --------------------------------------------------------------------- */

/* The models that are fitted to a curve of each kind. */
static const struct {
    size_t count;
    enum fit_model models[CURVE_FITS];
} fits_of[CURVE_KINDS] = {
    [CURVE_WORKERS] = {2, {FIT_AMDAHL, FIT_USL}},
    [CURVE_WEAK] = {1, {FIT_GUSTAFSON}},
    [CURVE_GROWTH] = {2, {FIT_POWER, FIT_EXPONENTIAL}},
    [CURVE_KERNEL] = {1, {FIT_POWER}},
    [CURVE_SHAPE] = {1, {FIT_PRODUCT}},
    [CURVE_STRIDE] = {1, {FIT_POWER}},
    [CURVE_PADDING] = {0, {0}},
};

/* Small sizes show the cost of a call, not how the work grows: an exponent is fitted to the points
 * within a factor of 16 of the largest. */
static const double growth_span = 16.0;

/* Copies the points of a curve that may take part to `out`, and their addresses to `of`; counts
 * those left out. */
static size_t choose(const struct analysis *a, struct curve *c, enum metric metric,
                     struct fit_point *out, const struct point **of)
{
    size_t n = 0;
    double largest = curve_x(&a->points[c->points[c->count - 1]], c->kind);
    c->left_out_invalid = c->left_out_workers = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct point *p = &a->points[c->points[i]];
        double x = curve_x(p, c->kind);
        if (p->trust == TRUST_INVALID)
            c->left_out_invalid++;
        else if (p->shares_cores)
            c->left_out_workers++;
        else if (c->kind == CURVE_SHAPE)
            out[n] = (struct fit_point){p->windows, x, &p->seconds[metric], NULL}, of[n++] = p;
        else if (c->kind != CURVE_GROWTH || x * growth_span >= largest)
            out[n] = (struct fit_point){x, 1.0, &p->seconds[metric], NULL}, of[n++] = p;
    }
    return n;
}

static int fit_one(const struct analysis *a, struct curve *c)
{
    struct fit_point *points = malloc(c->count * sizeof *points);
    const struct point **of = malloc(c->count * sizeof *of);
    int result = points && of ? 0 : -1;
    c->fit_count = fits_of[c->kind].count;
    for (enum metric m = 0; m < METRICS && result == 0; m++) {
        const size_t n = choose(a, c, m, points, of);
        double *draws = joint_draws(&a->samples, of, n, m);
        for (size_t i = 0; draws && i < n; i++)
            points[i].draws = draws + i * RESAMPLES;
        for (size_t i = 0; i < c->fit_count && result == 0; i++)
            result = fit_curve(&c->fits[m][i], fits_of[c->kind].models[i], points, n);
        free(draws);
    }
    free(points);
    free(of);
    return result;
}

enum status analysis_fits(struct analysis *a, struct failure *f)
{
    for (size_t i = 0; i < a->curve_count; i++)
        if (fit_one(a, &a->curves[i]) != 0)
            return fail(f, STATUS_RESOURCE, "not enough memory for the fits of %s", a->name);
    return STATUS_OK;
}
