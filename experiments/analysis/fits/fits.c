#include "experiments/analysis/fits/fits.h"

#include "experiments/analysis/speedup/scaling.h"
#include "harness/base/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct fit_description fit_descriptions[FIT_MODELS] = {
    [FIT_AMDAHL] = {"amdahl", "T(p) = T1 ((1 - f) + f/p)", 2, {"t1_s", "f"}, 3},
    [FIT_GUSTAFSON] = {"gustafson", "p T1 / T(p) = s + (1 - s) p", 2, {"t1_s", "s"}, 3},
    [FIT_USL] = {"usl",
                 "T(p) = T1 (1 + sigma (p - 1) + kappa p (p - 1)) / p",
                 3,
                 {"t1_s", "sigma", "kappa"},
                 4},
    [FIT_POWER] = {"power", "T(x) = c x^a", 2, {"c_s", "a"}, 3},
    [FIT_EXPONENTIAL] = {"exponential", "T(x) = c exp(a x)", 2, {"c_s", "a"}, 3},
    [FIT_PRODUCT] = {"product", "T(x, z) = c x^a z^b", 3, {"c_s", "a", "b"}, 3},
};

/* The functions of x and z that the coefficients multiply. Their sum is the logarithm of the time,
 * or the time (Gustafson: its inverse). */
static void make_basis(enum fit_model model, double x, double z, double *basis)
{
    basis[0] = 1.0;
    switch (model) {
    case FIT_AMDAHL:
        basis[1] = 1.0 / x;
        break;
    case FIT_GUSTAFSON:
        basis[0] = 1.0 / x;
        basis[1] = 1.0;
        break;
    case FIT_USL:
        basis[0] = 1.0 / x;
        basis[1] = (x - 1.0) / x;
        basis[2] = x - 1.0;
        break;
    case FIT_EXPONENTIAL:
        basis[1] = x;
        break;
    case FIT_PRODUCT:
        basis[2] = log(z);
        basis[1] = log(x);
        break;
    default:
        basis[1] = log(x);
    }
}

/* Whether the basis sums to the logarithm of the time. */
static bool is_in_logarithms(enum fit_model model)
{
    return model == FIT_POWER || model == FIT_EXPONENTIAL || model == FIT_PRODUCT;
}

/* Returns what the basis, times *factor, should sum to: residuals are relative to the time, as
 * those of logarithms are already. */
static double target_of(enum fit_model model, double seconds, double *factor)
{
    const bool logs = is_in_logarithms(model);
    *factor = logs ? 1.0 : model == FIT_GUSTAFSON ? seconds : 1.0 / seconds;
    return logs ? log(seconds) : 1.0;
}

/* Converts the coefficients to the law's parameters. */
static void make_parameters(enum fit_model model, const double *c, double *value)
{
    switch (model) {
    case FIT_AMDAHL:
        value[0] = c[0] + c[1];
        value[1] = c[1] / value[0];
        break;
    case FIT_GUSTAFSON:
        value[0] = 1.0 / (c[0] + c[1]);
        value[1] = c[0] * value[0];
        break;
    case FIT_USL:
        value[0] = c[0];
        value[1] = c[1] / c[0];
        value[2] = c[2] / c[0];
        break;
    default:
        value[0] = exp(c[0]);
        value[1] = c[1];
        value[2] = c[2];
    }
}

double fit_seconds(const struct fit *fit, double x, double z)
{
    const double *v = fit->value;
    switch (fit->model) {
    case FIT_AMDAHL:
        return v[0] / amdahl_speedup(v[1], x);
    case FIT_GUSTAFSON:
        return v[0] * x / gustafson_speedup(v[1], x);
    case FIT_USL:
        return v[0] / usl_speedup(v[1], v[2], x);
    case FIT_PRODUCT:
        return v[0] * pow(x, v[1]) * pow(z, v[2]);
    case FIT_EXPONENTIAL:
        return v[0] * exp(v[1] * x);
    default:
        return v[0] * pow(x, v[1]);
    }
}

const double fit_bend = 0.2;
const double fit_misfit = 0.05, fit_widening = 0.2;

/* The factor whose exponent may change along the curve. */
static double bending_x(enum fit_model model, const struct fit_point *p)
{
    return model == FIT_PRODUCT ? p->z : p->x;
}

enum { SOLVED = FIT_PARAMETERS + 1 }; /* a bend's coefficient is the last */

/* The linear system of one fit. Its basis is the same in every resample, but for a factor of each
 * row; `bend` adds the square of a logarithm to it. */
struct solver {
    enum fit_model model;
    bool bend;
    bool factored; /* `rows` holds Q and R of rows without factors, which every resample has */
    size_t count, parameters;
    double (*basis)[SOLVED];         /* [count] */
    gsl_matrix *rows;                /* count x parameters; once solved, Q and the triangle R */
    gsl_vector *scales;              /* [parameters]: those of Q */
    gsl_vector *targets, *residuals; /* [count] */
    gsl_vector *solution;            /* [parameters] */
    double coefficients[SOLVED];
    double squares; /* sum of the squared residuals */
};

static bool solver_open(struct solver *s, enum fit_model model, const struct fit_point *points,
                        size_t count, bool bend)
{
    const size_t parameters = fit_descriptions[model].parameters + bend;
    *s = (struct solver){.model = model, .bend = bend, .count = count, .parameters = parameters};
    s->basis = calloc(count, sizeof *s->basis);
    s->rows = gsl_matrix_alloc(count, parameters);
    s->scales = gsl_vector_alloc(parameters);
    s->targets = gsl_vector_alloc(count);
    s->residuals = gsl_vector_alloc(count);
    s->solution = gsl_vector_alloc(parameters);
    for (size_t i = 0; s->basis && i < count; i++) {
        make_basis(model, points[i].x, points[i].z, s->basis[i]);
        if (bend)
            s->basis[i][parameters - 1] = pow(log(bending_x(model, &points[i])), 2.0);
    }
    return s->basis && s->rows && s->scales && s->targets && s->residuals && s->solution;
}

static void solver_close(struct solver *s)
{
    free(s->basis);
    gsl_matrix_free(s->rows);
    gsl_vector_free(s->scales);
    gsl_vector_free(s->targets);
    gsl_vector_free(s->residuals);
    gsl_vector_free(s->solution);
}

/* A time with the noise of resample `draw` applied; RESAMPLES: without noise. */
static double drawn(const struct fit_point *p, size_t draw, double seconds)
{
    const double *draws = p->draws ? p->draws : p->seconds->draws;
    return draw < RESAMPLES ? seconds * exp(draws[draw]) : seconds;
}

/* Whether no column is a combination of those before it, up to rounding: what of it is left on the
 * triangle's diagonal is not small beside the column. */
static bool determined(const struct solver *s)
{
    const double rounding = 1e-13;
    for (size_t j = 0; j < s->parameters; j++) {
        double squares = 0.0;
        for (size_t i = 0; i <= j; i++)
            squares += pow(gsl_matrix_get(s->rows, i, j), 2.0);
        if (!(fabs(gsl_matrix_get(s->rows, j, j)) > rounding * sqrt(squares)))
            return false;
    }
    return true;
}

/* Factors the rows by reflections: singular values take ten times as long. Returns false if they do
 * not determine the coefficients. */
static bool factor_rows(struct solver *s)
{
    return s->count >= s->parameters && gsl_linalg_QR_decomp(s->rows, s->scales) == GSL_SUCCESS &&
           determined(s);
}

/* Finds the coefficients with the least squares of factored rows. */
static bool solve_rows(struct solver *s)
{
    if (gsl_linalg_QR_lssolve(s->rows, s->scales, s->targets, s->solution, s->residuals) !=
        GSL_SUCCESS)
        return false;
    s->squares = 0.0;
    for (size_t i = 0; i < s->count; i++)
        s->squares += pow(gsl_vector_get(s->residuals, i), 2.0);
    for (size_t j = 0; j < s->parameters; j++)
        s->coefficients[j] = gsl_vector_get(s->solution, j);
    return isfinite(s->squares);
}

/* Solves with the times of resample `draw`, or without noise if it is RESAMPLES. The times are the
 * measured ones, or those of the law if `law` is given. Returns false if the system has no finite
 * solution. */
static bool solve_as(struct solver *s, const struct fit_point *points, size_t draw,
                     const struct fit *law, double *value)
{
    for (size_t i = 0; i < s->count; i++) {
        const double from =
            law ? fit_seconds(law, points[i].x, points[i].z) : points[i].seconds->value;
        double factor;
        gsl_vector_set(s->targets, i, target_of(s->model, drawn(&points[i], draw, from), &factor));
        for (size_t j = 0; j < s->parameters && !s->factored; j++)
            gsl_matrix_set(s->rows, i, j, factor * s->basis[i][j]);
    }
    if (!s->factored && !factor_rows(s))
        return false;
    s->factored = is_in_logarithms(s->model);
    if (!solve_rows(s))
        return false;
    make_parameters(s->model, s->coefficients, value);
    if (s->bend)
        value[SOLVED - 1] = s->coefficients[s->parameters - 1];
    return true;
}

static bool solve(struct solver *s, const struct fit_point *points, size_t draw, double *value)
{
    return solve_as(s, points, draw, NULL, value);
}

/* Sets the intervals; none if a resample has no solution, because the spread is then unknown. */
static int fit_intervals(struct fit *fit, struct solver *s, const struct fit_point *points)
{
    double *values = malloc(FIT_PARAMETERS * RESAMPLES * sizeof *values);
    bool solved = true;
    if (!values)
        return -1;
    for (size_t draw = 0; draw < RESAMPLES; draw++) {
        double value[SOLVED] = {0};
        solved = solve(s, points, draw, value) && solved;
        for (size_t j = 0; j < s->parameters; j++)
            values[j * RESAMPLES + draw] = value[j];
    }
    for (size_t j = 0; solved && j < s->parameters; j++)
        fit->interval[j] = draws_interval(0.0, values + j * RESAMPLES, RESAMPLES, NAN);
    free(values);
    return 0;
}

/* Sets the exponents at both ends, from the solution with a bend. */
static void set_end_exponents(struct fit *fit, const double *value)
{
    const size_t exponent = fit_descriptions[fit->model].parameters - 1;
    for (size_t i = 0; i < 2; i++)
        fit->end_exponent[i] = value[exponent] + 2.0 * value[SOLVED - 1] * log(fit->end[i]);
    fit->change = fit->end_exponent[1] - fit->end_exponent[0];
}

static void find_ends(struct fit *fit, const struct fit_point *points)
{
    fit->end[0] = INFINITY;
    fit->end[1] = 0.0;
    for (size_t i = 0; i < fit->points; i++) {
        const double x = bending_x(fit->model, &points[i]);
        fit->end[0] = fmin(fit->end[0], x);
        fit->end[1] = fmax(fit->end[1], x);
    }
}

/* Returns false if a resample has no solution. */
static bool resample_change(struct fit *fit, struct solver *s, const struct fit_point *points,
                            double *changes)
{
    bool solved = true;
    for (size_t draw = 0; draw < RESAMPLES && solved; draw++) {
        double value[SOLVED] = {0};
        struct fit drawn = *fit;
        solved = solve(s, points, draw, value);
        set_end_exponents(&drawn, value);
        changes[draw] = drawn.change;
    }
    return solved;
}

/* Decides on the interval of the change, or on the change itself if it has no interval. */
static void assess_bend(struct fit *fit)
{
    const bool known = !isnan(fit->change_interval.lower);
    const double lower = known ? fit->change_interval.lower : fit->change;
    const double upper = known ? fit->change_interval.upper : fit->change;
    fit->bent = !(lower <= fit_bend && upper >= -fit_bend);
    if (fit->bent)
        snprintf(fit->reason, sizeof fit->reason,
                 "no one power: the exponent goes from %.2f at %g to %.2f at %g",
                 fit->end_exponent[0], fit->end[0], fit->end_exponent[1], fit->end[1]);
}

/* Tests whether one power describes the points. */
static int test_bend(struct fit *fit, const struct fit_point *points)
{
    struct solver s = {0};
    double value[SOLVED] = {0}, *changes = malloc(RESAMPLES * sizeof *changes);
    const bool whole = changes && solver_open(&s, fit->model, points, fit->points, true);
    find_ends(fit, points);
    if (whole && solve(&s, points, RESAMPLES, value)) {
        set_end_exponents(fit, value);
        if (resample_change(fit, &s, points, changes))
            fit->change_interval = draws_interval(0.0, changes, RESAMPLES, NAN);
        assess_bend(fit);
    }
    solver_close(&s);
    free(changes);
    return whole ? 0 : -1;
}

/* ---- lack of fit ----------------------------------------------------------------------------- */

/* Sum of the squared logarithms of the ratios of times to those of `fit`; the times are those of
 * solve_as. */
static double squared_log_residuals(const struct fit *fit, const struct fit_point *points,
                                    size_t draw, const struct fit *law)
{
    double squares = 0.0;
    for (size_t i = 0; i < fit->points; i++) {
        const double from =
            law ? fit_seconds(law, points[i].x, points[i].z) : points[i].seconds->value;
        const double ratio =
            drawn(&points[i], draw, from) / fit_seconds(fit, points[i].x, points[i].z);
        squares += ratio > 0.0 ? pow(log(ratio), 2.0) : (double)INFINITY;
    }
    return squares;
}

/* Probability of residuals as large as the measured ones if the law is true. */
static double misfit_of(const struct fit *fit, struct solver *s, const struct fit_point *points)
{
    const double rounding = 1e-18, seen = squared_log_residuals(fit, points, RESAMPLES, NULL);
    size_t as_large = 0;
    if (!(fit->points > s->parameters))
        return NAN;
    for (size_t draw = 0; draw < RESAMPLES; draw++) {
        struct fit again = *fit;
        double value[SOLVED] = {0};
        if (!solve_as(s, points, draw, fit, value))
            return NAN;
        for (size_t j = 0; j < FIT_PARAMETERS; j++)
            again.value[j] = value[j];
        as_large += !(squared_log_residuals(&again, points, draw, fit) + rounding < seen);
    }
    return (double)(as_large + 1) / (double)(RESAMPLES + 1);
}

/* Standard error of a parameter from the residuals of the last solution, by propagation from the
 * coefficients. Their covariance is the variance of the residuals times the inverse of R'R (R: the
 * triangle), and the variance is a sum of squares of the derivatives times the inverse of R. */
static double residual_error(const struct solver *s, size_t parameter)
{
    const double *coefficients = s->coefficients;
    double derivative[SOLVED], squares = 0.0;
    for (size_t j = 0; j < s->parameters; j++) {
        const double step = 1e-6 * fmax(fabs(coefficients[j]), 1e-12);
        double moved[SOLVED], above[SOLVED] = {0}, below[SOLVED] = {0};
        memcpy(moved, coefficients, sizeof moved);
        moved[j] = coefficients[j] + step;
        make_parameters(s->model, moved, above);
        moved[j] = coefficients[j] - step;
        make_parameters(s->model, moved, below);
        derivative[j] = (above[parameter] - below[parameter]) / (2.0 * step);
    }
    for (size_t j = 0; j < s->parameters; j++) {
        for (size_t i = 0; i < j; i++)
            derivative[j] -= gsl_matrix_get(s->rows, i, j) * derivative[i];
        derivative[j] /= gsl_matrix_get(s->rows, j, j);
        squares += derivative[j] * derivative[j];
    }
    return sqrt(squares * s->squares / (double)(s->count - s->parameters));
}

/* Extends the interval of each parameter to value -+ t s; for the first one, a time and above 0, in
 * its logarithm. */
static void widen(struct fit *fit, struct solver *s, const struct fit_point *points)
{
    const double t = gsl_cdf_tdist_Pinv(0.975, (double)(fit->points - s->parameters));
    double value[SOLVED] = {0};
    if (!solve(s, points, RESAMPLES, value)) /* leaves its triangle in the solver */
        return;
    for (size_t j = 0; j < s->parameters; j++) {
        struct interval *i = &fit->interval[j];
        const double reach = t * residual_error(s, j);
        const double factor = exp(reach / fabs(fit->value[j]));
        const double lower = j == 0 ? fit->value[j] / factor : fit->value[j] - reach;
        const double upper = j == 0 ? fit->value[j] * factor : fit->value[j] + reach;
        if (isnan(i->lower) || isnan(reach))
            continue;
        i->lower = fmin(i->lower, lower);
        i->upper = fmax(i->upper, upper);
    }
}

/* Least and largest exponent between neighbours; the points are in ascending x. */
static struct interval local_exponents(const struct fit_point *points, size_t count)
{
    struct interval local = {NAN, NAN};
    for (size_t i = 1; i < count; i++) {
        const double exponent = log(points[i].seconds->value / points[i - 1].seconds->value) /
                                log(points[i].x / points[i - 1].x);
        local.lower = fmin(local.lower, exponent);
        local.upper = fmax(local.upper, exponent);
    }
    return local;
}

static void test_misfit(struct fit *fit, struct solver *s, const struct fit_point *points)
{
    fit->misfit = misfit_of(fit, s, points);
    fit->lacks = fit->misfit < fit_misfit;
    if (fit->model == FIT_POWER)
        fit->local = local_exponents(points, fit->points);
    fit->widened = fit->misfit < fit_widening;
    if (fit->widened)
        widen(fit, s, points);
}

static double fit_error(const struct fit *fit, const struct fit_point *points, size_t count)
{
    double squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        double ratio = points[i].seconds->value / fit_seconds(fit, points[i].x, points[i].z);
        squares += (ratio - 1.0) * (ratio - 1.0);
    }
    return sqrt(squares / (double)count);
}

/* Copies the points that can take part and counts the different x (and z, for two factors). */
static size_t select_points(struct fit *fit, const struct fit_point *points, size_t count,
                            struct fit_point *kept, size_t *distinct_z)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (!points[i].seconds->draws || !(points[i].x > 0.0) || !(points[i].z > 0.0))
            continue;
        bool new_x = true, new_z = true;
        for (size_t j = 0; j < n; j++) {
            new_x = new_x && kept[j].x != points[i].x;
            new_z = new_z && kept[j].z != points[i].z;
        }
        fit->distinct += new_x;
        *distinct_z += new_z;
        fit->least_x = n == 0 ? points[i].x : fmin(fit->least_x, points[i].x);
        kept[n++] = points[i];
    }
    return n;
}

static bool enough_points(struct fit *fit, size_t distinct_z)
{
    const struct fit_description *d = &fit_descriptions[fit->model];
    bool two_factors = fit->model == FIT_PRODUCT;
    if (two_factors && (distinct_z < d->minimum || fit->distinct < d->minimum))
        snprintf(fit->reason, sizeof fit->reason,
                 "needs %zu values of each factor, has %zu and %zu", d->minimum, fit->distinct,
                 distinct_z);
    else if (fit->distinct < d->minimum)
        snprintf(fit->reason, sizeof fit->reason, "needs %zu different values, has %zu", d->minimum,
                 fit->distinct);
    return fit->reason[0] == '\0';
}

/* Two factors that change together cannot be distinguished. */
static bool separable(struct fit *fit, const struct fit_point *points, size_t count)
{
    if (fit->model != FIT_PRODUCT)
        return true;
    double *logs = malloc(2 * count * sizeof *logs);
    if (!logs)
        return true;
    for (size_t i = 0; i < count; i++) {
        logs[i] = log(points[i].x);
        logs[count + i] = log(points[i].z);
    }
    double correlation = gsl_stats_correlation(logs, 1, logs + count, 1, count);
    free(logs);
    if (fabs(correlation) < 0.99)
        return true;
    snprintf(fit->reason, sizeof fit->reason,
             "both factors change together (correlation %.3f): these points do not determine two "
             "exponents",
             correlation);
    return false;
}

int fit_curve(struct fit *fit, enum fit_model model, const struct fit_point *points, size_t count)
{
    *fit = (struct fit){.model = model,
                        .error = NAN,
                        .misfit = NAN,
                        .local = {NAN, NAN},
                        .end = {NAN, NAN},
                        .end_exponent = {NAN, NAN},
                        .change = NAN,
                        .change_interval = {NAN, NAN}};
    for (size_t j = 0; j < FIT_PARAMETERS; j++) {
        fit->value[j] = NAN;
        fit->interval[j] = no_interval;
    }
    struct fit_point *kept = calloc(count ? count : 1, sizeof *kept);
    if (!kept)
        return -1;
    size_t distinct_z = 0;
    fit->points = select_points(fit, points, count, kept, &distinct_z);
    int result = 0;
    if (enough_points(fit, distinct_z) && separable(fit, kept, fit->points)) {
        struct solver s;
        result = solver_open(&s, model, kept, fit->points, false) ? 0 : -1;
        if (result == 0 && solve(&s, kept, RESAMPLES, fit->value)) {
            result = fit_intervals(fit, &s, kept);
            fit->error = fit_error(fit, kept, fit->points);
            test_misfit(fit, &s, kept);
            if (result == 0 && (model == FIT_POWER || model == FIT_PRODUCT))
                result = test_bend(fit, kept);
        } else if (result == 0) {
            snprintf(fit->reason, sizeof fit->reason, "its equations have no solution in numbers");
        }
        solver_close(&s);
    }
    free(kept);
    return result;
}
