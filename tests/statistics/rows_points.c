/* Intervals of the time of a point. */
#include "experiments/analysis/trust/further_rounds.h"
#include "experiments/analysis/trust/round_effects.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a fixed number of launches ------------------------------------------------------------- */

struct fixed {
    struct world world;
    size_t launches;
    size_t bad;     /* this many launches take three times as long */
    bool resampled; /* uses the resampled estimate, which is slow */
};

static double covers(gsl_rng *rng, const void *with)
{
    const struct fixed *f = with;
    double seconds[MOST_LAUNCHES], effects[MOST_LAUNCHES];
    world_rounds(effects, f->launches, &f->world, rng);
    world_launches(seconds, 0, f->launches, &f->world, effects, rng);
    for (size_t i = 0; i < f->bad; i++)
        seconds[i] *= 3.0;
    if (f->resampled) {
        struct estimate e = world_estimate(seconds, f->launches, rng);
        const bool held = world_holds(e.interval, world_truth(&f->world));
        estimate_free(&e);
        return held;
    }
    return world_holds(world_interval(seconds, f->launches), world_truth(&f->world));
}

static const struct fixed nine_quiet = {{.deviation = 0.02}, LAUNCHES, 0, true};
static const struct fixed nine_wide = {{.deviation = 0.25}, LAUNCHES, 0, false};
static const struct fixed nine_modes = {
    {.deviation = 0.01, .mode = 0.4, .slower = 0.3}, LAUNCHES, 0, false};
static const struct fixed nine_one_bad = {{.deviation = 0.02}, LAUNCHES, 1, false};
static const struct fixed six = {{.deviation = 0.02}, 6, 0, false};
static const struct fixed four = {{.deviation = 0.02}, 4, 0, true};
static const struct fixed eighteen_wide = {{.deviation = 0.25}, 18, 0, false};
static const struct fixed eighteen_modes = {
    {.deviation = 0.01, .mode = 0.4, .slower = 0.3}, 18, 0, false};
static const struct fixed correlated = {
    {.deviation = 0.005, .common = 0.02, .correlation = 0.7}, LAUNCHES, 0, false};

/* ---- launches added until the interval is narrow --------------------------------------------- */

/* Checks after each launch, and stops at the first narrow interval. Counts only points to which
 * launches were added and whose interval became narrow. */
static double covers_when_narrow(gsl_rng *rng, const void *with)
{
    const struct world *w = with;
    const double target = 0.10;
    double seconds[3 * LAUNCHES];
    world_launches(seconds, 0, 3 * LAUNCHES, w, NULL, rng);
    for (size_t n = LAUNCHES; n <= 3 * LAUNCHES; n++) {
        const struct interval i = world_interval(seconds, n);
        if (0.5 * (i.upper - i.lower) <= target * sqrt(i.lower * i.upper))
            return n > LAUNCHES ? world_holds(i, world_truth(w)) : NAN;
    }
    return NAN;
}

static const struct world wide = {.deviation = 0.25};
static const struct world modes = {.deviation = 0.01, .mode = 0.48, .slower = 0.3};

/* ---- rounds that points share ---------------------------------------------------------------- */

enum { SHARING = 10 };

/* Ten points of the same rounds, as in an experiment. */
struct experiment {
    double seconds[SHARING][MOST_LAUNCHES], width;
    size_t rounds;
};

static void draw_experiment(struct experiment *e, const struct fixed *f, gsl_rng *rng)
{
    double effects[MOST_LAUNCHES], logs[SHARING * MOST_LAUNCHES];
    e->rounds = f->launches;
    world_rounds(effects, e->rounds, &f->world, rng);
    for (size_t p = 0; p < SHARING; p++) {
        world_launches(e->seconds[p], 0, e->rounds, &f->world, effects, rng);
        for (size_t i = 0; i < e->rounds; i++) {
            e->seconds[p][i] *= i < f->bad ? 3.0 : 1.0;
            logs[p * e->rounds + i] = log(e->seconds[p][i]);
        }
    }
    if (!round_effects_width(logs, SHARING, e->rounds, &e->width))
        exit(4);
}

static struct interval widened(const struct experiment *e, size_t point)
{
    return round_effects_widen(world_interval(e->seconds[point], e->rounds),
                               world_median(e->seconds[point], e->rounds), e->width);
}

/* Returns the fraction of points whose widened interval contains their time. */
static double covers_with_rounds(gsl_rng *rng, const void *with)
{
    const struct fixed *f = with;
    struct experiment e;
    double held = 0.0;
    draw_experiment(&e, f, rng);
    for (size_t p = 0; p < SHARING; p++)
        held += world_holds(widened(&e, p), world_truth(&f->world));
    return held / SHARING;
}

/* Returns how much wider the intervals are, as a fraction. */
static double wider(gsl_rng *rng, const void *with)
{
    struct experiment e;
    double sum = 0.0;
    draw_experiment(&e, with, rng);
    for (size_t p = 0; p < SHARING; p++) {
        const struct interval own = world_interval(e.seconds[p], e.rounds), i = widened(&e, p);
        sum += log(i.upper / i.lower) / log(own.upper / own.lower) - 1.0;
    }
    return sum / SHARING;
}

static const struct fixed correlated_six = {
    {.deviation = 0.005, .common = 0.02, .correlation = 0.7}, 6, 0, false};
static const struct fixed correlated_18 = {
    {.deviation = 0.005, .common = 0.02, .correlation = 0.7}, 18, 0, false};
static const struct fixed independent = {{.deviation = 0.02}, LAUNCHES, 0, false};
static const struct fixed independent_wide = {{.deviation = 0.25}, LAUNCHES, 0, false};
static const struct fixed common_alone = {{.deviation = 0.02, .common = 0.02}, LAUNCHES, 0, false};
static const struct fixed bad_round = {{.deviation = 0.02}, LAUNCHES, 1, false};

/* ---- further rounds of another session ------------------------------------------------------- */

/* Nine planned launches and nine further ones: 1 if the interval of all contains the time of the
 * planned ones, or the point is reported as changed. */
static double covers_or_lists(gsl_rng *rng, const void *with)
{
    const struct fixed *f = with;
    double seconds[MOST_LAUNCHES], planned[LAUNCHES], further[LAUNCHES], factor;
    world_launches(seconds, 0, f->launches, &f->world, NULL, rng);
    memcpy(planned, seconds, sizeof planned);
    memcpy(further, seconds + LAUNCHES, sizeof further);
    return further_rounds_differ(planned, LAUNCHES, further, LAUNCHES, 0.05, &factor) ||
           world_holds(world_interval(seconds, f->launches), world_truth(&f->world));
}

static const struct fixed shifted = {
    {.deviation = 0.02, .shifted_from = LAUNCHES, .shift = 0.10}, 2 * LAUNCHES, 0, false};
static const struct fixed shifted_wide = {
    {.deviation = 0.25, .shifted_from = LAUNCHES, .shift = 0.10}, 2 * LAUNCHES, 0, false};

static const struct row rows[] = {
    {"interval of a point, nine launches, 2 % noise", "≥ 95 %", covers, &nine_quiet, 0.93, 0.985,
     2},
    {"nine launches, lognormal 25 %", "≥ 95 %", covers, &nine_wide, 0.93, 0.985, 1},
    {"nine launches in two modes 30 % apart", "≥ 95 %", covers, &nine_modes, 0.93, 0.99, 1},
    {"nine launches, one takes three times as long", "≥ 95 %", covers, &nine_one_bad, 0.93, 0.985,
     1},
    {"six launches", "≥ 95 %", covers, &six, 0.945, 0.995, 1},
    {"four launches, resampled", "≥ 95 %", covers, &four, 0.90, 0.995, 2},
    {"a fixed number of further rounds, 18 launches, lognormal 25 %", "≥ 93 %", covers,
     &eighteen_wide, 0.93, 0.99, 1},
    {"a fixed number of further rounds, 18 launches, two modes", "≥ 93 %", covers, &eighteen_modes,
     0.93, 0.995, 1},
    {"for contrast: launches added until ±10 % is reached, lognormal 25 %", "95 %, not kept",
     covers_when_narrow, &wide, 0.60, 0.93, 1},
    {"for contrast: launches added until ±10 % is reached, two modes", "95 %, not kept",
     covers_when_narrow, &modes, 0.30, 0.92, 1},
    {"for contrast: nine rounds that share an effect of 2 %, correlation 0.7, one point alone",
     "95 %, not kept", covers, &correlated, 0.55, 0.85, 1},
    {"the same, ten points of these rounds", "≥ 93 %", covers_with_rounds, &correlated, 0.93, 1.0,
     6},
    {"the same, six rounds", "≥ 93 %", covers_with_rounds, &correlated_six, 0.93, 1.0, 6},
    {"the same, 18 rounds", "≥ 93 %", covers_with_rounds, &correlated_18, 0.93, 1.0, 6},
    {"nine rounds that share nothing, ten points, 2 % noise", "95 to 99 %", covers_with_rounds,
     &independent, 0.945, 0.99, 6},
    {"the same, lognormal 25 %", "95 to 99 %", covers_with_rounds, &independent_wide, 0.945, 0.99,
     6},
    {"nine rounds that share nothing: intervals are wider by", "≤ 3 %", wider, &independent, 0.0,
     0.03, 6},
    {"the same, one round in which all takes three times as long", "price", wider, &bad_round, 0.0,
     0.30, 6},
    {"rounds that share 2 %, not correlated, 2 % noise: coverage", "above 95 %, wide",
     covers_with_rounds, &common_alone, 0.95, 1.0, 6},
    {"the same: intervals are wider by", "price", wider, &common_alone, 0.2, 1.2, 6},
    {"further rounds in which all takes 10 % longer, 2 % noise: covered, or reported", "≥ 95 %",
     covers_or_lists, &shifted, 0.95, 1.0, 1},
    {"the same, lognormal 25 %", "≥ 93 %", covers_or_lists, &shifted_wide, 0.93, 1.0, 1},
};

const struct section rows_of_points = {"Intervals of a time: coverage", rows,
                                       sizeof rows / sizeof *rows};
