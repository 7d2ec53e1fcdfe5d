/* Two result sets compared: false alarms and changes that are found. */
#include "experiments/analysis/comparison.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <stdio.h>
#include <stdlib.h>

static const double margin = 0.02;

struct pair {
    struct world world;
    double change;  /* of B, as a share */
    size_t points;  /* of the study */
    size_t bad;     /* launches of each point of A that take three times as long */
    double session; /* standard deviation of what all points of one side share */
};

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
    if (compare_launches(&c, a, LAUNCHES, b, LAUNCHES, margin, dice) != 0) {
        fprintf(stderr, "not enough memory\n");
        exit(4);
    }
    return c;
}

/* One point is called slower. */
static double is_slower(gsl_rng *dice, const void *with)
{
    const struct pair *p = with;
    double of_a[LAUNCHES], of_b[LAUNCHES];
    world_rounds(of_a, LAUNCHES, &p->world, dice);
    world_rounds(of_b, LAUNCHES, &p->world, dice);
    return compare_point(p, of_a, of_b, dice).verdict == COMPARISON_SLOWER;
}

static const struct pair same = {.world = {.deviation = 0.02}};
static const struct pair same_modes = {.world = {.deviation = 0.01, .mode = 0.4, .slower = 0.3}};
static const struct pair ten = {.world = {.deviation = 0.02}, .change = 0.10};
static const struct pair ten_bad = {.world = {.deviation = 0.02}, .change = 0.10, .bad = 1};

static const struct row rows[] = {
    {"one point of two equal builds is called slower", "≤ 5 %", is_slower, &same, 0.0, 0.05, 40},
    {"the same, two modes 30 % apart", "≤ 5 %", is_slower, &same_modes, 0.0, 0.05, 40},
    {"one point that takes 10 % more is found", "≥ 95 %", is_slower, &ten, 0.95, 1.0, 40},
    {"the same, with one bad launch of nine", "≥ 95 %", is_slower, &ten_bad, 0.95, 1.0, 40},
};

const struct section rows_of_comparisons = {"Two result sets compared", rows,
                                            sizeof rows / sizeof *rows};
