/* Exponents of growth and the f of Amdahl's law: their intervals, and the test of lack of fit. */
#include "experiments/analysis/fits/round_fits.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

enum { SIZES = 6 };
static const double exponent = 2.0;

struct growth {
    struct world world;
    double miss; /* standard deviation of the law's error at each size, in logarithms */
};

static struct fit fit_growth(const struct growth *g, gsl_rng *rng)
{
    struct estimate estimates[SIZES];
    struct fit_point points[SIZES];
    struct fit fit;
    for (size_t i = 0; i < SIZES; i++) {
        const double x = 512.0 * pow(2.0, (double)i);
        const double truth = pow(x, exponent) * exp(gsl_ran_gaussian(rng, g->miss));
        double seconds[LAUNCHES];
        world_launches(seconds, 0, LAUNCHES, &g->world, NULL, rng);
        for (size_t j = 0; j < LAUNCHES; j++)
            seconds[j] *= truth;
        estimates[i] = world_estimate(seconds, LAUNCHES, rng);
        points[i] = (struct fit_point){x, 1.0, &estimates[i], NULL};
    }
    if (fit_curve(&fit, FIT_POWER, points, SIZES) != 0)
        exit(4);
    for (size_t i = 0; i < SIZES; i++)
        estimate_free(&estimates[i]);
    return fit;
}

static double seen_to_lack(gsl_rng *rng, const void *with)
{
    return fit_growth(with, rng).lacks;
}

static double exponent_covered(gsl_rng *rng, const void *with)
{
    const struct fit fit = fit_growth(with, rng);
    return world_holds(fit.interval[1], exponent);
}

/* ---- the parallel fraction f of Amdahl's law ------------------------------------------------- */

enum { COUNTS = 5 };
static const double true_share = 0.9;

struct workers {
    struct world world;
    double miss; /* as in struct growth */
    bool naive;  /* only by the rounds */
};

/* 1 if the interval of f, as in the speedup figure, contains the truth. */
static double share_covered(gsl_rng *rng, const void *with)
{
    const struct workers *w = with;
    struct estimate estimates[COUNTS];
    struct fit_point points[COUNTS];
    struct fit fit;
    double seconds[COUNTS][LAUNCHES], counts[COUNTS], effects[LAUNCHES], shares[LAUNCHES];
    world_rounds(effects, LAUNCHES, &w->world, rng);
    for (size_t i = 0; i < COUNTS; i++) {
        counts[i] = pow(2.0, (double)i);
        const double truth =
            (1.0 - true_share + true_share / counts[i]) * exp(gsl_ran_gaussian(rng, w->miss));
        world_launches(seconds[i], 0, LAUNCHES, &w->world, effects, rng);
        for (size_t j = 0; j < LAUNCHES; j++)
            seconds[i][j] *= truth;
        estimates[i] = world_estimate(seconds[i], LAUNCHES, rng);
        points[i] = (struct fit_point){counts[i], 1.0, &estimates[i], NULL};
    }
    if (fit_curve(&fit, FIT_AMDAHL, points, COUNTS) != 0)
        exit(4);
    for (size_t j = 0; j < LAUNCHES; j++) {
        double round[COUNTS];
        for (size_t i = 0; i < COUNTS; i++)
            round[i] = seconds[i][j];
        shares[j] = round_share(false, counts, round, COUNTS);
    }
    const struct round_fit alone = round_fit_of(shares, LAUNCHES),
                           widened = round_fit_widened(alone, false, &fit);
    for (size_t i = 0; i < COUNTS; i++)
        estimate_free(&estimates[i]);
    return world_holds(w->naive ? alone.interval : widened.interval, true_share);
}

static const struct workers amdahl = {.world = {.deviation = 0.02}};
static const struct workers amdahl_rounds = {
    .world = {.deviation = 0.005, .common = 0.02, .correlation = 0.7}};
static const struct workers amdahl_missing = {.world = {.deviation = 0.02}, .miss = 0.10};
static const struct workers amdahl_naive = {
    .world = {.deviation = 0.02}, .miss = 0.10, .naive = true};

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
     &missing, 0.94, 1.0, 1},
    {"the same, by 3 %", "≥ 93 %", exponent_covered, &missing_little, 0.93, 1.0, 6},
    {"f of Amdahl's law, 1 to 16 workers: coverage where it holds, 2 % noise", "≥ 95 %",
     share_covered, &amdahl, 0.93, 1.0, 6},
    {"the same, rounds that share an effect of 2 %, correlation 0.7", "≥ 95 %", share_covered,
     &amdahl_rounds, 0.93, 1.0, 6},
    {"the same, the law misses each count of workers by 10 %", "≥ 95 %", share_covered,
     &amdahl_missing, 0.94, 1.0, 1},
    {"for contrast: by the rounds alone", "95 %, not kept", share_covered, &amdahl_naive, 0.0, 0.75,
     6},
};

const struct section rows_of_fits = {"Laws that are fitted", rows, sizeof rows / sizeof *rows};
