#include "tests/statistics/worlds.h"

#include "harness/base/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Probability that a launch of the world takes at most exp(x). */
static double probability(const struct world *w, double x)
{
    return (1.0 - w->mode) * gsl_cdf_gaussian_P(x, w->deviation) +
           w->mode * gsl_cdf_gaussian_P(x - log1p(w->slower), w->deviation);
}

double world_quantile(const struct world *w, double fraction)
{
    double lower = -8.0 * w->deviation, upper = log1p(w->slower) + 8.0 * w->deviation;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (lower + upper);
        if (probability(w, middle) < fraction)
            lower = middle;
        else
            upper = middle;
    }
    return exp(0.5 * (lower + upper));
}

double world_truth(const struct world *w)
{
    return world_quantile(w, 0.5);
}

void world_rounds(double *effects, size_t rounds, const struct world *w, gsl_rng *rng)
{
    const double fresh = sqrt(1.0 - w->correlation * w->correlation);
    double effect = gsl_ran_gaussian(rng, w->common);
    for (size_t i = 0; i < rounds; i++) {
        effects[i] = effect;
        effect = w->correlation * effect + fresh * gsl_ran_gaussian(rng, w->common);
    }
}

void world_launches(double *seconds, size_t from, size_t to, const struct world *w,
                    const double *effects, gsl_rng *rng)
{
    for (size_t i = from; i < to; i++) {
        const bool slow = gsl_rng_uniform(rng) < w->mode;
        double log_time = gsl_ran_gaussian(rng, w->deviation) + (slow ? log1p(w->slower) : 0.0);
        log_time += effects ? effects[i] : 0.0;
        if (w->shift > 0.0 && i >= w->shifted_from)
            log_time += log1p(w->shift);
        seconds[i] = exp(log_time);
    }
}

struct estimate world_estimate(const double *seconds, size_t launches, gsl_rng *rng)
{
    double values[MOST_LAUNCHES];
    struct launch_values list[MOST_LAUNCHES];
    struct estimate e;
    for (size_t i = 0; i < launches; i++) {
        values[i] = seconds[i];
        list[i] = (struct launch_values){&values[i], 1};
    }
    if (estimate_make(&e, list, launches, rng) != 0) {
        fprintf(stderr, "not enough memory\n");
        exit(4);
    }
    return e;
}

struct interval world_interval(const double *seconds, size_t launches)
{
    double values[MOST_LAUNCHES];
    memcpy(values, seconds, launches * sizeof *values);
    const struct summary s = summarise(values, launches);
    return (struct interval){s.lower, s.upper};
}

double world_median(const double *seconds, size_t launches)
{
    double values[MOST_LAUNCHES];
    memcpy(values, seconds, launches * sizeof *values);
    return median_of(values, launches);
}

bool world_holds(struct interval i, double truth)
{
    return i.lower <= truth && truth <= i.upper;
}
