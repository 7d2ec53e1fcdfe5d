/* Intervals of the time of a point. */
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <math.h>

/* ---- a fixed number of launches ------------------------------------------------------------- */

struct fixed {
    struct world world;
    size_t launches;
    size_t bad;     /* so many of the launches take three times as long */
    bool resampled; /* by the estimate with its draws: slow */
};

static double covers(gsl_rng *dice, const void *with)
{
    const struct fixed *f = with;
    double seconds[MOST_LAUNCHES], effects[MOST_LAUNCHES];
    world_rounds(effects, f->launches, &f->world, dice);
    world_launches(seconds, 0, f->launches, &f->world, effects, dice);
    for (size_t i = 0; i < f->bad; i++)
        seconds[i] *= 3.0;
    if (f->resampled) {
        struct estimate e = world_estimate(seconds, f->launches, dice);
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

/* Looks after each launch and stops at the first narrow interval; of the points that had launches
 * added and ended narrow. */
static double covers_when_narrow(gsl_rng *dice, const void *with)
{
    const struct world *w = with;
    const double target = 0.10;
    double seconds[3 * LAUNCHES];
    world_launches(seconds, 0, 3 * LAUNCHES, w, NULL, dice);
    for (size_t n = LAUNCHES; n <= 3 * LAUNCHES; n++) {
        const struct interval i = world_interval(seconds, n);
        if (0.5 * (i.upper - i.lower) <= target * sqrt(i.lower * i.upper))
            return n > LAUNCHES ? world_holds(i, world_truth(w)) : NAN;
    }
    return NAN;
}

static const struct world wide = {.deviation = 0.25};
static const struct world modes = {.deviation = 0.01, .mode = 0.48, .slower = 0.3};

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
    {"nine rounds that share an effect, correlation 0.7 from one to the next", "95 %, not kept",
     covers, &correlated, 0.55, 0.85, 1},
};

const struct section rows_of_points = {"Intervals of a time: coverage", rows,
                                       sizeof rows / sizeof *rows};
