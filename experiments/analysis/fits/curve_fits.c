#include "experiments/analysis/analysis.h"
#include "experiments/analysis/paired_times.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

/* ---- draws of several points together -------------------------------------------------------- */

/* Resamples of the times of several points together. Whole rounds are drawn, so every resample
 * keeps the noise that the points of a round have in common. The drift of the machine then does not
 * count as misfit of a law, nor does it make its parameters look more precise. */

enum { LEAST_ROUNDS = 6, SEED = 35 };

/* Stores the logarithms of the times of one round, one per point. Returns false if a point has no
 * time in it. */
static bool gather_round(const struct samples *s, const struct point *const *points, size_t count,
                         enum metric metric, size_t launch, double *logs)
{
    for (size_t i = 0; i < count; i++) {
        const ptrdiff_t at =
            i == 0 ? (ptrdiff_t)launch : paired_launch(s, points[0], launch, points[i]);
        const double seconds = at < 0 ? (double)NAN : points[i]->medians[metric][at];
        if (!(seconds > 0.0))
            return false;
        logs[i] = log(seconds);
    }
    return true;
}

/* The median of one point over n of the rounds. */
static double median_of_rounds(const double *logs, size_t count, size_t point, const size_t *rounds,
                               size_t n, double *workspace)
{
    for (size_t i = 0; i < n; i++)
        workspace[i] = logs[rounds[i] * count + point];
    return median_of(workspace, n);
}

struct drawing {
    const double *logs; /* [rounds][count] */
    size_t rounds, count;
    size_t *drawn; /* rounds of one resample */
    double *workspace, *centres;
    gsl_rng *rng;
};

static void draw_all(const struct drawing *d, double *out)
{
    const double inflate = sqrt((double)d->rounds / ((double)d->rounds - 1.0));
    for (size_t i = 0; i < d->rounds; i++)
        d->drawn[i] = i;
    for (size_t i = 0; i < d->count; i++)
        d->centres[i] = median_of_rounds(d->logs, d->count, i, d->drawn, d->rounds, d->workspace);
    for (size_t draw = 0; draw < RESAMPLES; draw++) {
        for (size_t i = 0; i < d->rounds; i++)
            d->drawn[i] = gsl_rng_uniform_int(d->rng, d->rounds);
        for (size_t i = 0; i < d->count; i++)
            out[i * RESAMPLES + draw] = inflate * (median_of_rounds(d->logs, d->count, i, d->drawn,
                                                                    d->rounds, d->workspace) -
                                                   d->centres[i]);
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
    struct drawing d = {.logs = logs,
                        .count = count,
                        .drawn = malloc(most * sizeof *d.drawn),
                        .workspace = malloc(most * sizeof *d.workspace),
                        .centres = malloc(count * sizeof *d.centres),
                        .rng = gsl_rng_alloc(gsl_rng_mt19937)};
    const bool whole = logs && out && d.drawn && d.workspace && d.centres && d.rng;
    for (size_t i = 0; whole && i < most; i++)
        d.rounds += gather_round(s, points, count, metric, i, logs + d.rounds * count);
    const bool enough = whole && d.rounds >= LEAST_ROUNDS;
    if (enough) {
        gsl_rng_set(d.rng, SEED);
        draw_all(&d, out);
    }
    gsl_rng_free(d.rng);
    free(d.centres);
    free(d.workspace);
    free(d.drawn);
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
