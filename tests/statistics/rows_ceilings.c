/* Ceilings of a machine, and the fractions of them that times reach. */
#include "experiments/analysis/limit_share.h"
#include "experiments/limits/visits.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <gsl/gsl_rng.h>
#include <math.h>

/* ---- the ceiling ---------------------------------------------------------------------------- */

struct visited {
    struct world world;
    size_t lucky; /* this many visits take two thirds of the time */
};

/* Visits like `study roofline`: once more if the visits differ much. */
static struct visits visit(const struct visited *w, gsl_rng *rng)
{
    double seconds[VISITS_MOST];
    struct visits v = {.count = VISITS};
    world_launches(seconds, 0, VISITS_MOST, &w->world, NULL, rng);
    for (size_t i = 0; i < VISITS_MOST; i++)
        v.seconds[i] = i < w->lucky ? seconds[i] / 1.5 : seconds[i];
    const struct rate rate = visits_rate(&v, 1.0);
    v.count = visits_are_apart(&rate) ? VISITS_MOST : VISITS;
    return v;
}

/* The upper quartile of rates corresponds to the lower one of times. */
static double true_ceiling(const struct visited *w)
{
    return 1.0 / world_quantile(&w->world, 0.25);
}

static double ceiling_covered(gsl_rng *rng, const void *with)
{
    const struct visits v = visit(with, rng);
    const struct rate rate = visits_rate(&v, 1.0);
    return world_holds((struct interval){rate.lower, rate.upper}, true_ceiling(with));
}

/* The earlier method: the highest rate, with the interval of the median. */
static double median_holds_highest(gsl_rng *rng, const void *with)
{
    const struct visits v = visit(with, rng);
    const struct rate rate = visits_rate(&v, 1.0);
    const struct interval i = world_interval(v.seconds, v.count);
    return world_holds((struct interval){1.0 / i.upper, 1.0 / i.lower}, rate.highest);
}

static const struct visited quiet = {{.deviation = 0.02}, 0};
static const struct visited wide = {{.deviation = 0.25}, 0};
static const struct visited modes = {{.deviation = 0.01, .mode = 0.4, .slower = 0.3}, 0};
static const struct visited one_lucky = {{.deviation = 0.01}, 1};

/* ---- shares --------------------------------------------------------------------------------- */

/* Nine launches, on the same machine, of a method that reaches the ceiling. */
static struct interval draw_share(const struct visited *w, gsl_rng *rng, bool limit_is_exact)
{
    double seconds[LAUNCHES];
    const struct visits v = visit(w, rng);
    const struct rate rate = visits_rate(&v, 1.0);
    struct bounded limit = {1.0 / rate.value, 1.0 / rate.upper, 1.0 / rate.lower};
    if (limit_is_exact)
        limit.lower = limit.upper = limit.value;
    world_launches(seconds, 0, LAUNCHES, &w->world, NULL, rng);
    const struct interval i = world_interval(seconds, LAUNCHES);
    const double median = world_median(seconds, LAUNCHES);
    return limit_share_interval(limit, (struct bounded){median, i.lower, i.upper});
}

static double share_covered(gsl_rng *rng, const void *with)
{
    const struct visited *w = with;
    const double truth = 1.0 / true_ceiling(w) / world_truth(&w->world);
    return world_holds(draw_share(w, rng, false), truth);
}

static double share_of_time_alone(gsl_rng *rng, const void *with)
{
    const struct visited *w = with;
    const double truth = 1.0 / true_ceiling(w) / world_truth(&w->world);
    return world_holds(draw_share(w, rng, true), truth);
}

static double share_above_one(gsl_rng *rng, const void *with)
{
    return draw_share(with, rng, false).lower > 1.0;
}

static const struct row rows[] = {
    {"a ceiling: its interval holds the upper quartile, 2 % noise", "≥ 95 %", ceiling_covered,
     &quiet, 0.94, 1.0, 1},
    {"the same, lognormal 25 %, 26 visits", "≥ 95 %", ceiling_covered, &wide, 0.94, 1.0, 1},
    {"the same, two modes 30 % apart", "≥ 95 %", ceiling_covered, &modes, 0.94, 1.0, 1},
    {"the same, one visit is half as fast again by luck", "≥ 95 %", ceiling_covered, &one_lucky,
     0.94, 1.0, 1},
    {"for contrast: the highest, by the interval of the median, 2 % noise", "95 %, not kept",
     median_holds_highest, &quiet, 0.0, 0.05, 1},
    {"share of the limit: coverage, 2 % noise", "≥ 95 %", share_covered, &quiet, 0.94, 1.0, 1},
    {"the same, lognormal 25 %", "≥ 95 %", share_covered, &wide, 0.94, 1.0, 1},
    {"the same, two modes 30 % apart", "≥ 95 %", share_covered, &modes, 0.94, 1.0, 1},
    {"for contrast: by the interval of the time alone, 2 % noise", "95 %, not kept",
     share_of_time_alone, &quiet, 0.70, 0.95, 1},
    {"a method as fast as the ceilings: called faster than the limit, 2 % noise", "≤ 5 %",
     share_above_one, &quiet, 0.0, 0.05, 1},
    {"the same, lognormal 25 %", "≤ 5 %", share_above_one, &wide, 0.0, 0.05, 1},
};

const struct section rows_of_ceilings = {"Ceilings, and shares of them", rows,
                                         sizeof rows / sizeof *rows};
