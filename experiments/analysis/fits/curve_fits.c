#include "experiments/analysis/analysis.h"
#include "experiments/analysis/fits/joint_draws.h"

#include <math.h>
#include <stdlib.h>

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
