/* What choosing by the times does to an interval: doubtful points that are measured again, and
 * samples within a launch that stop when their interval is narrow. */
#include "experiments/analysis/trust/launch_order.h"
#include "harness/base/statistics.h"
#include "harness/base/two_modes.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- measured again -------------------------------------------------------------------------- */

/* As in trust: what makes a point of nine launches SUSPECT by its own times. */
static const double apart = 0.10, far_above = 1.5, target = 0.10;

/* Which set counts after the first. */
enum choice {
    KEEP_LAST,   /* as `study run --again suspect` does */
    KEEP_SHORTER /* what it must not do */
};

struct repeated {
    struct world world;
    size_t most; /* sets that are measured, as long as the last is SUSPECT */
    enum choice choice;
};

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool is_suspect(const double *seconds)
{
    double sorted[LAUNCHES], factor;
    memcpy(sorted, seconds, sizeof sorted);
    qsort(sorted, LAUNCHES, sizeof *sorted, by_size);
    const struct modes modes = modes_of(sorted, LAUNCHES);
    const struct interval i = world_interval(seconds, LAUNCHES);
    const double median = world_median(seconds, LAUNCHES);
    const bool wide = 0.5 * (i.upper - i.lower) > target * median;
    return (modes.two && wide && modes.ratio > 1.0 + apart) ||
           median > far_above * sorted_quantile(sorted, LAUNCHES, 0.1) ||
           launch_order_has_trend(seconds, LAUNCHES, apart, &factor);
}

/* Draws the set that counts; returns the number of sets that were measured. */
static size_t draw_set(double *seconds, const struct repeated *r, gsl_rng *rng)
{
    double next[LAUNCHES];
    size_t sets = 1;
    world_launches(seconds, 0, LAUNCHES, &r->world, NULL, rng);
    for (; sets < r->most && is_suspect(seconds); sets++) {
        world_launches(next, 0, LAUNCHES, &r->world, NULL, rng);
        if (r->choice == KEEP_LAST ||
            world_median(next, LAUNCHES) < world_median(seconds, LAUNCHES))
            memcpy(seconds, next, sizeof next);
    }
    return sets;
}

static double covers(gsl_rng *rng, const void *with)
{
    const struct repeated *r = with;
    double seconds[LAUNCHES];
    draw_set(seconds, r, rng);
    return world_holds(world_interval(seconds, LAUNCHES), world_truth(&r->world));
}

/* Only points that were measured again count. */
static double covers_if_again(gsl_rng *rng, const void *with)
{
    const struct repeated *r = with;
    double seconds[LAUNCHES];
    const bool again = draw_set(seconds, r, rng) > 1;
    return again ? world_holds(world_interval(seconds, LAUNCHES), world_truth(&r->world))
                 : (double)NAN;
}

static double is_below(gsl_rng *rng, const void *with)
{
    const struct repeated *r = with;
    double seconds[LAUNCHES];
    draw_set(seconds, r, rng);
    return world_median(seconds, LAUNCHES) < world_truth(&r->world);
}

static double was_suspect(gsl_rng *rng, const void *with)
{
    const struct repeated *r = with;
    double seconds[LAUNCHES];
    world_launches(seconds, 0, LAUNCHES, &r->world, NULL, rng);
    return is_suspect(seconds);
}

enum { MANY_SETS = 10 };
#define WIDE                                                                                       \
    {                                                                                              \
        .deviation = 0.25                                                                          \
    }
#define MODES                                                                                      \
    {                                                                                              \
        .deviation = 0.01, .mode = 0.4, .slower = 0.3                                              \
    }
static const struct repeated once_wide = {WIDE, 2, KEEP_LAST}, once_modes = {MODES, 2, KEEP_LAST},
                             many_wide = {WIDE, MANY_SETS, KEEP_LAST},
                             many_modes = {MODES, MANY_SETS, KEEP_LAST},
                             shorter_modes = {MODES, MANY_SETS, KEEP_SHORTER};

/* ---- samples within a launch ----------------------------------------------------------------- */

enum { SAMPLES = 100, FIRST_CHECK = 10 }; /* as point programs do without options */

struct sampled {
    struct world samples; /* of each sample */
    double launches;      /* standard deviation of a launch's logarithm */
    double relative_ci;   /* 0: as many samples as there may be */
};

/* The median of the samples of a launch. They are counted after 10, 20, 40 and 80. */
static double launch_median(const struct sampled *s, gsl_rng *rng)
{
    double samples[SAMPLES], values[SAMPLES];
    const double level = exp(gsl_ran_gaussian(rng, s->launches));
    size_t due = FIRST_CHECK, n = SAMPLES;
    world_launches(samples, 0, SAMPLES, &s->samples, NULL, rng);
    for (; due < SAMPLES; due *= 2) {
        memcpy(values, samples, due * sizeof *values);
        const struct summary so_far = summarise(values, due);
        if (summary_relative_half_width(&so_far) <= s->relative_ci) {
            n = due;
            break;
        }
    }
    return level * median_of(samples, n);
}

static double covers_sampled(gsl_rng *rng, const void *with)
{
    const struct sampled *s = with;
    double seconds[LAUNCHES];
    for (size_t i = 0; i < LAUNCHES; i++)
        seconds[i] = launch_median(s, rng);
    return world_holds(world_interval(seconds, LAUNCHES), world_truth(&s->samples));
}

static double launch_is_below(gsl_rng *rng, const void *with)
{
    const struct sampled *s = with;
    return launch_median(s, rng) < world_truth(&s->samples);
}

static const struct sampled stops_quiet = {{.deviation = 0.02}, 0.02, 0.02},
                            stops_wide = {WIDE, 0.02, 0.10}, stops_modes = {MODES, 0.02, 0.10},
                            all_modes = {MODES, 0.02, 0.0}, level_modes = {MODES, 0.0, 0.10},
                            level_all_modes = {MODES, 0.0, 0.0};

static const struct row rows[] = {
    {"nine launches, lognormal 25 %: SUSPECT by their times", "price", was_suspect, &once_wide, 0.0,
     0.15, 1},
    {"the same, two modes 30 % apart", "power", was_suspect, &once_modes, 0.6, 0.85, 1},
    {"SUSPECT points measured again once, lognormal 25 %: coverage", "≥ 95 %", covers, &once_wide,
     0.93, 0.985, 1},
    {"the same, of those that were measured again", "≥ 95 %", covers_if_again, &once_wide, 0.93,
     1.0, 1},
    {"SUSPECT points measured again once, two modes 30 % apart: coverage", "≥ 93 %", covers,
     &once_modes, 0.93, 0.99, 1},
    {"the same, of those that were measured again", "≥ 93 %", covers_if_again, &once_modes, 0.93,
     1.0, 1},
    {"the same, all points: below the true time", "50 %, not kept", is_below, &once_modes, 0.52,
     0.66, 1},
    {"again until no longer SUSPECT, at most ten sets, lognormal 25 %", "≥ 95 %", covers,
     &many_wide, 0.93, 0.985, 1},
    {"the same, two modes 30 % apart", "95 %, not kept", covers, &many_modes, 0.80, 0.93, 1},
    {"the same: below the true time", "50 %, not kept", is_below, &many_modes, 0.70, 0.90, 1},
    {"for contrast: a new set counts only if it is faster, two modes 30 % apart", "95 %, not kept",
     covers, &shorter_modes, 0.80, 0.94, 1},
    {"samples within launches stop at ±2 %, 2 % noise: coverage of nine launches", "≥ 95 %",
     covers_sampled, &stops_quiet, 0.93, 0.99, 1},
    {"the same, lognormal 25 %, at ±10 %", "≥ 95 %", covers_sampled, &stops_wide, 0.93, 0.99, 1},
    {"the same, samples in two modes 30 % apart", "≥ 93 %", covers_sampled, &stops_modes, 0.93,
     0.99, 1},
    {"for contrast: 100 samples of these, whatever they show", "≥ 95 %", covers_sampled, &all_modes,
     0.93, 0.99, 1},
    {"a launch whose samples stop at ±10 %, two modes 30 % apart: below the true time",
     "50 %, not kept", launch_is_below, &level_modes, 0.50, 0.66, 1},
    {"for contrast: 100 samples of these, whatever they show", "about 50 %", launch_is_below,
     &level_all_modes, 0.44, 0.56, 1},
};

const struct section rows_of_again = {"Times chosen by the times", rows,
                                      sizeof rows / sizeof *rows};
