#include "experiments/samples/estimate.h"

#include "harness/base/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const struct interval no_interval = {NAN, NAN};

struct estimate estimate_none(void)
{
    return (struct estimate){
        .value = NAN, .interval = no_interval, .freedom = NAN, .variance = NAN};
}

struct estimate estimate_given(double value, struct interval interval)
{
    struct estimate e = estimate_none();
    e.value = value;
    e.interval = interval;
    return e;
}

void estimate_free(struct estimate *e)
{
    free(e->draws);
    e->draws = NULL;
}

struct interval draws_interval(double centre, double *draws, size_t count, double freedom)
{
    double widen = 1.0;
    if (freedom >= 1.0)
        widen = gsl_cdf_tdist_Pinv(0.975, freedom) / gsl_cdf_ugaussian_Pinv(0.975);
    sort_samples(draws, count);
    return (struct interval){centre + widen * sorted_quantile(draws, count, 0.025),
                             centre + widen * sorted_quantile(draws, count, 0.975)};
}

/* Draws whole launches with replacement: deviations of the median launch from `centre`. m launches
 * show only (m - 1) / m of their variance about their own centre; the factor compensates for it.
 * `medians` are in ascending order; false if memory runs out. */
static bool draw_launches(double *draws, const double *medians, size_t count, double centre,
                          gsl_rng *rng)
{
    double inflate = sqrt((double)count / (double)(count - 1));
    size_t *order = malloc(2 * count * sizeof *order), *times = order + count;
    for (size_t i = 0; order && i < count; i++)
        order[i] = i;
    for (size_t i = 0; order && i < RESAMPLES; i++) {
        memset(times, 0, count * sizeof *times);
        for (size_t j = 0; j < count; j++)
            times[gsl_rng_uniform_int(rng, count)]++;
        draws[i] = inflate * (median_of_repeated(medians, order, times, count) - centre);
    }
    free(order);
    return order != NULL;
}

/* Draws the n samples of one launch with replacement: deviations of their median. The median of n
 * such draws is the quantile whose level is the median of n uniform numbers, which has the
 * distribution Beta((n + 1) / 2, (n + 1) / 2): one draw replaces n. */
static void draw_samples(double *draws, const struct launch_values *launch, double centre,
                         gsl_rng *rng)
{
    double shape = 0.5 * ((double)launch->count + 1.0);
    for (size_t i = 0; i < RESAMPLES; i++) {
        double level = gsl_ran_beta(rng, shape, shape);
        size_t rank = (size_t)(level * (double)launch->count);
        if (rank >= launch->count)
            rank = launch->count - 1;
        draws[i] = log(launch->values[rank]) - centre;
    }
}

/* A single launch has an exact interval by order statistics. */
static void one_launch(struct estimate *e, struct launch_values *launch, gsl_rng *rng)
{
    struct summary s = summarise(launch->values, launch->count);
    e->interval = (struct interval){s.lower, s.upper};
    e->freedom = (double)launch->count - 1.0;
    if (e->draws && s.minimum > 0.0)
        draw_samples(e->draws, launch, log(e->value), rng);
}

/* `medians` are logarithms, in ascending order. Returns false if memory runs out. */
static bool many_launches(struct estimate *e, const double *medians, double *scratch, gsl_rng *rng)
{
    size_t lower, upper;
    e->freedom = (double)e->launches - 1.0;
    if (!draw_launches(e->draws, medians, e->launches, log(e->value), rng))
        return false;
    if (median_interval_ranks(e->launches, 0.95, &lower, &upper) == 0) {
        e->interval = (struct interval){exp(medians[lower - 1]), exp(medians[upper - 1])};
        return true;
    }
    memcpy(scratch, e->draws, RESAMPLES * sizeof *scratch);
    struct interval logs = draws_interval(log(e->value), scratch, RESAMPLES, e->freedom);
    e->interval = (struct interval){exp(logs.lower), exp(logs.upper)};
    return true;
}

/* Stores the medians of the launches that have samples; *smallest is the least sample of all. */
static void launch_medians(struct estimate *e, struct launch_values *launches, size_t count,
                           double *medians, double *smallest, size_t *last)
{
    *smallest = INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (launches[i].count == 0)
            continue;
        medians[e->launches++] = median_of(launches[i].values, launches[i].count);
        e->samples += launches[i].count;
        if (launches[i].values[0] < *smallest)
            *smallest = launches[i].values[0];
        *last = i;
    }
}

int estimate_make(struct estimate *e, struct launch_values *launches, size_t count, gsl_rng *rng)
{
    *e = estimate_none();
    if (count == 0)
        return 0;
    double *medians = malloc(count * sizeof *medians);
    double *scratch = malloc(RESAMPLES * sizeof *scratch);
    e->draws = malloc(RESAMPLES * sizeof *e->draws);
    int result = medians && scratch && e->draws ? 0 : -1;
    if (result == 0) {
        double smallest;
        size_t last = 0;
        launch_medians(e, launches, count, medians, &smallest, &last);
        e->value = median_of(medians, e->launches); /* sorts them */
        if (e->launches == 0 || !(smallest > 0.0))
            estimate_free(e); /* without logarithms, no draws */
        if (e->launches == 1)
            one_launch(e, &launches[last], rng);
        if (e->launches > 1 && e->draws) {
            for (size_t i = 0; i < e->launches; i++)
                medians[i] = log(medians[i]);
            result = many_launches(e, medians, scratch, rng) ? 0 : -1;
        }
        if (e->draws)
            e->variance = gsl_stats_variance_m(e->draws, 1, RESAMPLES, 0.0);
    }
    if (result != 0)
        estimate_free(e);
    free(medians);
    free(scratch);
    return result;
}

double estimate_ratio_freedom(const struct estimate *a, const struct estimate *b)
{
    double sum = a->variance + b->variance;
    double parts = a->variance * a->variance / a->freedom + b->variance * b->variance / b->freedom;
    return parts > 0.0 ? sum * sum / parts : fmin(a->freedom, b->freedom);
}

struct interval estimate_ratio_interval(const struct estimate *numerator,
                                        const struct estimate *denominator)
{
    if (!numerator->draws || !denominator->draws || !(numerator->freedom >= 1.0) ||
        !(denominator->freedom >= 1.0))
        return no_interval;
    double draws[RESAMPLES];
    for (size_t i = 0; i < RESAMPLES; i++)
        draws[i] = numerator->draws[i] - denominator->draws[i];
    double centre = log(numerator->value) - log(denominator->value);
    struct interval logs =
        draws_interval(centre, draws, RESAMPLES, estimate_ratio_freedom(numerator, denominator));
    return (struct interval){exp(logs.lower), exp(logs.upper)};
}
