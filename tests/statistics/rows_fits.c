/* Exponents of growth: their intervals, and the test of lack of fit. */
#include "experiments/analysis/fits/fits.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

enum { SIZES = 6 };
static const double exponent = 2.0;

struct growth {
    struct world world;
    double miss; /* standard deviation of what the law misses each size by, in logarithms */
};

static struct fit fit_growth(const struct growth *g, gsl_rng *dice)
{
    struct estimate estimates[SIZES];
    struct fit_point points[SIZES];
    struct fit fit;
    for (size_t i = 0; i < SIZES; i++) {
        const double x = 512.0 * pow(2.0, (double)i);
        const double truth = pow(x, exponent) * exp(gsl_ran_gaussian(dice, g->miss));
        double seconds[LAUNCHES];
        world_launches(seconds, 0, LAUNCHES, &g->world, NULL, dice);
        for (size_t j = 0; j < LAUNCHES; j++)
            seconds[j] *= truth;
        estimates[i] = world_estimate(seconds, LAUNCHES, dice);
        points[i] = (struct fit_point){x, 1.0, &estimates[i], NULL};
    }
    if (fit_curve(&fit, FIT_POWER, points, SIZES) != 0)
        exit(4);
    for (size_t i = 0; i < SIZES; i++)
        estimate_free(&estimates[i]);
    return fit;
}

static double seen_to_lack(gsl_rng *dice, const void *with)
{
    return fit_growth(with, dice).lacks;
}

static double exponent_covered(gsl_rng *dice, const void *with)
{
    const struct fit fit = fit_growth(with, dice);
    return world_holds(fit.interval[1], exponent);
}

static const struct growth lawful = {.world = {.deviation = 0.02}};
static const struct growth lawful_wide = {.world = {.deviation = 0.25}};
static const struct growth lawful_modes = {
    .world = {.deviation = 0.01, .mode = 0.3, .slower = 0.3}};
static const struct growth missing = {.world = {.deviation = 0.02}, .miss = 0.15};
static const struct growth missing_little = {.world = {.deviation = 0.02}, .miss = 0.03};

static const struct row rows[] = {
    {"a power law holds, six sizes, 2 % noise: said not to hold", "≤ 5 %", seen_to_lack, &lawful,
     0.0, 0.05, 6},
    {"the same, lognormal 25 %", "≤ 5 %", seen_to_lack, &lawful_wide, 0.0, 0.05, 6},
    {"the same, two modes 30 % apart", "≤ 5 %", seen_to_lack, &lawful_modes, 0.0, 0.05, 6},
    {"it misses each size by 15 %: said not to hold", "≥ 95 %", seen_to_lack, &missing, 0.95, 1.0,
     6},
    {"it misses each size by 3 %: said not to hold", "power", seen_to_lack, &missing_little, 0.5,
     1.0, 6},
    {"exponent: coverage where the law holds, 2 % noise", "≥ 95 %", exponent_covered, &lawful, 0.93,
     1.0, 6},
    {"the same, lognormal 25 %", "≥ 95 %", exponent_covered, &lawful_wide, 0.93, 1.0, 6},
    {"exponent: coverage where the law misses each size by 15 %", "≥ 95 %", exponent_covered,
     &missing, 0.93, 1.0, 6},
    {"the same, by 3 %", "≥ 95 %", exponent_covered, &missing_little, 0.90, 1.0, 6},
};

const struct section rows_of_fits = {"Exponents of growth", rows, sizeof rows / sizeof *rows};
