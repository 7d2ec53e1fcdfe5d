/* Whether departures from exchangeability are found: trends, correlated neighbours, sessions. */
#include "experiments/analysis/trust/launch_order.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <gsl/gsl_randist.h>
#include <math.h>

static const double apart = 0.05; /* least difference that is reported, as in trust */

struct ordered_world {
    struct world world;
    size_t launches;
    double rise; /* of the last launch over the first, as a fraction */
};

static void draw(double *seconds, const struct ordered_world *w, gsl_rng *rng)
{
    double effects[MOST_LAUNCHES];
    world_rounds(effects, w->launches, &w->world, rng);
    world_launches(seconds, 0, w->launches, &w->world, effects, rng);
    for (size_t i = 0; i < w->launches; i++)
        seconds[i] *= pow(1.0 + w->rise, (double)i / (double)(w->launches - 1));
}

static double trend_reported(gsl_rng *rng, const void *with)
{
    const struct ordered_world *w = with;
    double seconds[MOST_LAUNCHES], factor;
    draw(seconds, w, rng);
    return launch_order_has_trend(seconds, w->launches, apart, &factor);
}

static double correlation_reported(gsl_rng *rng, const void *with)
{
    const struct ordered_world *w = with;
    double seconds[MOST_LAUNCHES], correlation;
    draw(seconds, w, rng);
    return launch_order_is_correlated(seconds, w->launches, apart, &correlation);
}

/* Half of the launches belong to another session. */
static double sessions_distinguished(gsl_rng *rng, const void *with)
{
    const struct ordered_world *w = with;
    double seconds[MOST_LAUNCHES];
    size_t sessions[MOST_LAUNCHES];
    struct session_ranks ranks;
    draw(seconds, w, rng);
    for (size_t i = 0; i < w->launches; i++)
        sessions[i] = 1 + 2 * i / w->launches;
    return launch_order_sessions(&ranks, seconds, sessions, w->launches) &&
           session_ranks_differ(&ranks, apart);
}

/* For each launch, the ratio of its two halves' medians, of 20 samples, as noisy as the launches.
 */
static double drift_reported(gsl_rng *rng, const void *with)
{
    const struct ordered_world *w = with;
    double ratios[MOST_LAUNCHES], factor;
    for (size_t i = 0; i < w->launches; i++)
        ratios[i] = (1.0 + w->rise) * exp(gsl_ran_gaussian(rng, w->world.deviation));
    return launch_order_drifts_within(ratios, w->launches, apart, &factor);
}

static const struct ordered_world quiet = {{.deviation = 0.02}, LAUNCHES, 0.0};
static const struct ordered_world wide = {{.deviation = 0.25}, LAUNCHES, 0.0};
static const struct ordered_world rising = {{.deviation = 0.02}, LAUNCHES, 0.2};
static const struct ordered_world drifting = {{.deviation = 0.02}, LAUNCHES, 0.1};
static const struct ordered_world wandering = {
    {.deviation = 0.005, .common = 0.05, .correlation = 0.7}, LAUNCHES, 0.0};
static const struct ordered_world wandering_long = {
    {.deviation = 0.005, .common = 0.05, .correlation = 0.7}, 36, 0.0};
static const struct ordered_world two_equal = {{.deviation = 0.25}, 2 * LAUNCHES, 0.0};
static const struct ordered_world two_apart = {
    {.deviation = 0.02, .shifted_from = LAUNCHES, .shift = 0.1}, 2 * LAUNCHES, 0.0};

static const struct row rows[] = {
    {"nine exchangeable launches, lognormal 25 %: a trend is reported", "≤ 1 %", trend_reported,
     &wide, 0.0, 0.01, 1},
    {"the same, 2 % noise", "≤ 1 %", trend_reported, &quiet, 0.0, 0.01, 1},
    {"times that rise by 20 % over nine launches, 2 % noise: a trend is reported", "≥ 95 %",
     trend_reported, &rising, 0.95, 1.0, 1},
    {"nine exchangeable launches, lognormal 25 %: resembling neighbours are reported", "≤ 1 %",
     correlation_reported, &wide, 0.0, 0.01, 1},
    {"rounds that share an effect of 5 %, correlation 0.7, nine launches: reported", "power",
     correlation_reported, &wandering, 0.05, 1.0, 1},
    {"the same, 36 launches", "power", correlation_reported, &wandering_long, 0.8, 1.0, 1},
    {"two equal sessions of nine, lognormal 25 %: a difference is reported", "≤ 1 %",
     sessions_distinguished, &two_equal, 0.0, 0.01, 1},
    {"two sessions 10 % apart, 2 % noise: reported", "≥ 95 %", sessions_distinguished, &two_apart,
     0.95, 1.0, 1},
    {"samples without a drift, lognormal 25 %: a drift is reported", "≤ 1 %", drift_reported, &wide,
     0.0, 0.01, 1},
    {"samples that rise by 10 % within launches: reported", "≥ 95 %", drift_reported, &drifting,
     0.95, 1.0, 1},
};

const struct section rows_of_order = {"What is not exchangeable", rows, sizeof rows / sizeof *rows};
