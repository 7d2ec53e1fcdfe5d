/* Two result sets compared: false alarms and changes that are found. */
#include "experiments/analysis/comparison.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <stdlib.h>

static const double margin = 0.02;

struct pair {
    struct world world;
    double change;  /* of B, as a share */
    size_t points;  /* of the study */
    size_t bad;     /* launches of each point of A that take three times as long */
    double session; /* standard deviation of what all points of one side share */
};

enum { MOST_POINTS = 10 };

static struct comparison compare_point(const struct pair *p, const double *of_a, const double *of_b,
                                       gsl_rng *dice)
{
    double a[LAUNCHES], b[LAUNCHES];
    struct comparison c;
    world_launches(a, 0, LAUNCHES, &p->world, of_a, dice);
    world_launches(b, 0, LAUNCHES, &p->world, of_b, dice);
    for (size_t i = 0; i < LAUNCHES; i++) {
        a[i] *= i < p->bad ? 3.0 : 1.0;
        b[i] *= 1.0 + p->change;
    }
    if (compare_without_bounds(&c, a, LAUNCHES, b, LAUNCHES, margin, dice) != 0)
        exit(4);
    return c;
}

/* The comparisons of a whole study, judged together; how many of them say SLOWER. */
static size_t count_slower(const struct pair *p, gsl_rng *dice)
{
    struct comparison all[MOST_POINTS];
    double of_a[LAUNCHES], of_b[LAUNCHES];
    size_t slower = 0;
    world_rounds(of_a, LAUNCHES, &p->world, dice);
    world_rounds(of_b, LAUNCHES, &p->world, dice);
    for (size_t i = 0; i < p->points; i++)
        all[i] = compare_point(p, of_a, of_b, dice);
    if (compare_together(all, p->points) != 0)
        exit(4);
    for (size_t i = 0; i < p->points; i++)
        slower += all[i].verdict == COMPARISON_SLOWER;
    return slower;
}

/* Any point is called slower: the exit status of the study is 1. */
static double ends_with_1(gsl_rng *dice, const void *with)
{
    return count_slower(with, dice) > 0;
}

/* Share of the points that are called slower. */
static double share_slower(gsl_rng *dice, const void *with)
{
    const struct pair *p = with;
    return (double)count_slower(p, dice) / (double)p->points;
}

static const struct pair same = {.world = {.deviation = 0.02}, .points = MOST_POINTS};
static const struct pair same_wide = {.world = {.deviation = 0.25}, .points = MOST_POINTS};
static const struct pair same_modes = {.world = {.deviation = 0.01, .mode = 0.4, .slower = 0.3},
                                       .points = MOST_POINTS};
static const struct pair sessions = {
    .world = {.deviation = 0.005, .common = 0.02, .correlation = 0.7}, .points = MOST_POINTS};
static const struct pair ten = {
    .world = {.deviation = 0.02}, .change = 0.10, .points = MOST_POINTS};
static const struct pair ten_bad = {
    .world = {.deviation = 0.02}, .change = 0.10, .bad = 1, .points = MOST_POINTS};
static const struct pair ten_modes = {.world = {.deviation = 0.01, .mode = 0.2, .slower = 0.3},
                                      .change = 0.10,
                                      .points = MOST_POINTS};

static const struct row rows[] = {
    {"two equal builds, 10 points: any is called slower, 2 % noise", "≤ 5 %", ends_with_1, &same,
     0.0, 0.05, 100},
    {"the same, lognormal 25 %", "≤ 5 %", ends_with_1, &same_wide, 0.0, 0.05, 100},
    {"the same, two modes 30 % apart", "≤ 5 %", ends_with_1, &same_modes, 0.0, 0.05, 100},
    {"the same, each session with rounds that share an effect of 2 %, correlation 0.7",
     "5 %, not kept", ends_with_1, &sessions, 0.0, 0.40, 100},
    {"a build that takes 10 % more: its points are called slower, 2 % noise", "≥ 95 %",
     share_slower, &ten, 0.95, 1.0, 100},
    {"the same, one launch of nine takes three times as long", "≥ 95 %", share_slower, &ten_bad,
     0.95, 1.0, 100},
    {"the same, two modes 30 % apart, a fifth of the launches in the slower", "95 %, not kept",
     share_slower, &ten_modes, 0.3, 0.95, 100},
};

const struct section rows_of_comparisons = {"Two result sets compared", rows,
                                            sizeof rows / sizeof *rows};
