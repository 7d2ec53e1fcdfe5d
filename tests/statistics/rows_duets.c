/* Two builds timed alternately, layout by layout: false alarms, and changes that are found. */
#include "experiments/analysis/paired_comparison.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <stdlib.h>

static const double margin = 0.02;

struct duet {
    struct world world;     /* of each build in each layout; both share the effects of rounds */
    double change;          /* of B, as a fraction */
    size_t points, changed; /* of the study; the first `changed` ones change */
    size_t bad;             /* number of layouts in which A takes three times as long */
};

enum { MOST_POINTS = 315, LAYOUTS = PAIRED_USUAL_LAYOUTS };

static struct comparison compare_point(const struct duet *d, double change, const double *effects,
                                       gsl_rng *rng)
{
    double a[LAYOUTS], b[LAYOUTS];
    struct comparison c;
    world_launches(a, 0, LAYOUTS, &d->world, effects, rng);
    world_launches(b, 0, LAYOUTS, &d->world, effects, rng);
    for (size_t i = 0; i < LAYOUTS; i++)
        b[i] *= (1.0 + change) / (a[i] * (i < d->bad ? 3.0 : 1.0));
    compare_paired(&c, b, LAYOUTS, margin);
    return c;
}

/* Decides the comparisons of a whole study together: how many of the changed points are SLOWER, and
 * how many of the unchanged ones. */
static void decide_study(const struct duet *d, gsl_rng *rng, size_t *found, size_t *false_ones)
{
    struct comparison all[MOST_POINTS];
    double effects[LAYOUTS];
    world_rounds(effects, LAYOUTS, &d->world, rng);
    for (size_t i = 0; i < d->points; i++)
        all[i] = compare_point(d, i < d->changed ? d->change : 0.0, effects, rng);
    if (compare_together(all, d->points) != 0)
        exit(4);
    *found = *false_ones = 0;
    for (size_t i = 0; i < d->points; i++)
        *(i < d->changed ? found : false_ones) += all[i].verdict == COMPARISON_SLOWER;
}

static double ends_with_0(gsl_rng *rng, const void *with)
{
    size_t found, false_ones;
    decide_study(with, rng, &found, &false_ones);
    return found + false_ones == 0;
}

static double share_found(gsl_rng *rng, const void *with)
{
    const struct duet *d = with;
    size_t found, false_ones;
    decide_study(d, rng, &found, &false_ones);
    return (double)found / (double)d->changed;
}

static const struct duet same = {.world = {.deviation = 0.02}, .points = 10};
static const struct duet same_many = {.world = {.deviation = 0.02}, .points = MOST_POINTS};
static const struct duet same_wide = {.world = {.deviation = 0.25}, .points = 10};
static const struct duet same_modes = {.world = {.deviation = 0.01, .mode = 0.4, .slower = 0.3},
                                       .points = 10};
static const struct duet same_drift = {
    .world = {.deviation = 0.005, .common = 0.2, .correlation = 0.7}, .points = 10};
static const struct duet ten = {
    .world = {.deviation = 0.02}, .change = 0.10, .points = 10, .changed = 10};
static const struct duet ten_bad = {
    .world = {.deviation = 0.02}, .change = 0.10, .points = 10, .changed = 10, .bad = 1};
static const struct duet ten_modes = {.world = {.deviation = 0.01, .mode = 0.2, .slower = 0.3},
                                      .change = 0.10,
                                      .points = 10,
                                      .changed = 10};
static const struct duet ten_alone = {
    .world = {.deviation = 0.02}, .change = 0.10, .points = MOST_POINTS, .changed = 1};
static const struct duet ten_drift = {
    .world = {.deviation = 0.005, .common = 0.2, .correlation = 0.7},
    .change = 0.10,
    .points = 10,
    .changed = 10};

static const struct row rows[] = {
    {"two equal builds, 10 points: status 0, 2 % noise", "≥ 95 %", ends_with_0, &same, 0.95, 1.0,
     2},
    {"the same, 315 points", "≥ 95 %", ends_with_0, &same_many, 0.95, 1.0, 60},
    {"the same, 10 points, lognormal 25 %", "≥ 95 %", ends_with_0, &same_wide, 0.95, 1.0, 2},
    {"the same, each build in two modes 30 % apart, layout by layout", "≥ 95 %", ends_with_0,
     &same_modes, 0.95, 1.0, 2},
    {"the same, a machine whose speed drifts by 20 %, correlation 0.7", "≥ 95 %", ends_with_0,
     &same_drift, 0.95, 1.0, 2},
    {"a build that takes 10 % more: its points are called slower, 2 % noise", "≥ 95 %", share_found,
     &ten, 0.95, 1.0, 2},
    {"the same, one layout in which the other build takes three times as long", "≥ 95 %",
     share_found, &ten_bad, 0.95, 1.0, 2},
    {"the same, each build in two modes 30 % apart, a fifth of the layouts in the slower", "≥ 95 %",
     share_found, &ten_modes, 0.95, 1.0, 2},
    {"the same, a machine whose speed drifts by 20 %, correlation 0.7", "≥ 95 %", share_found,
     &ten_drift, 0.95, 1.0, 2},
    {"one point of 315 takes 10 % more, 2 % noise", "≥ 95 %", share_found, &ten_alone, 0.95, 1.0,
     60},
};

const struct section rows_of_duets = {"Two builds in one process (`study duet`)", rows,
                                      sizeof rows / sizeof *rows};
