/* Two result sets compared: false alarms and changes that are found. */
#include "experiments/analysis/session_comparison.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <math.h>
#include <stdlib.h>

static const double margin = 0.02;

struct pair {
    struct world world;
    double change;   /* of each point that changes, as a fraction */
    size_t points;   /* number of points of the study */
    size_t anchors;  /* how many of them are anchors, which never change and come last */
    size_t changed;  /* how many points change: the first ones */
    size_t launches; /* on each side */
    size_t bad;      /* of each point of A: launches that take three times as long */
    double session;  /* slowdown of all of B by the machine, as a fraction */
};

enum { MOST_POINTS = 315, FEW_POINTS = 10 };

/* A study: the times of all points, and the verdicts on them. */
struct study {
    double times[MOST_POINTS][2 * MOST_LAUNCHES];
    struct session_point points[MOST_POINTS];
    struct comparison results[MOST_POINTS];
    struct session_shift shift;
};

static void draw_point(struct study *s, size_t i, const struct pair *p, const double *of_a,
                       const double *of_b, gsl_rng *rng)
{
    const size_t n = p->launches;
    double *a = s->times[i], *b = a + n;
    world_launches(a, 0, n, &p->world, of_a, rng);
    world_launches(b, 0, n, &p->world, of_b, rng);
    for (size_t j = 0; j < n; j++) {
        a[j] *= j < p->bad ? 3.0 : 1.0;
        b[j] *= (1.0 + (i < p->changed ? p->change : 0.0)) * (1.0 + p->session);
    }
    s->points[i] = (struct session_point){
        .medians = a, .count_a = n, .count_b = n, .anchor = i >= p->points - p->anchors};
}

static struct study *draw_study(const struct pair *p, gsl_rng *rng)
{
    struct study *s = calloc(1, sizeof *s);
    double of_a[MOST_LAUNCHES], of_b[MOST_LAUNCHES];
    if (!s)
        exit(4);
    world_rounds(of_a, p->launches, &p->world, rng);
    world_rounds(of_b, p->launches, &p->world, rng);
    for (size_t i = 0; i < p->points; i++)
        draw_point(s, i, p, of_a, of_b, rng);
    if (compare_sessions(&s->shift, s->results, s->points, p->points, margin, rng) != 0)
        exit(4);
    return s;
}

static size_t count_verdicts(const struct study *s, size_t from, size_t to,
                             enum comparison_verdict verdict)
{
    size_t count = 0;
    for (size_t i = from; i < to; i++)
        count += s->results[i].verdict == verdict;
    return count;
}

/* 1 if any point that did not change is called slower: the study's exit status is then 1. */
static double ends_with_1(gsl_rng *rng, const void *with)
{
    const struct pair *p = with;
    struct study *s = draw_study(p, rng);
    const size_t slower = count_verdicts(s, p->changed, p->points, COMPARISON_SLOWER);
    free(s);
    return slower > 0;
}

/* The same, with each point decided alone, as if both sides were one session. */
static double ends_with_1_alone(gsl_rng *rng, const void *with)
{
    const struct pair *p = with;
    struct study *s = draw_study(p, rng);
    size_t slower = 0;
    for (size_t i = 0; i < p->points; i++) {
        const struct session_point *q = &s->points[i];
        if (compare_launches(&s->results[i], q->medians, q->count_a, q->medians + q->count_a,
                             q->count_b, margin, rng) != 0)
            exit(4);
    }
    if (compare_together(s->results, p->points) != 0)
        exit(4);
    slower = count_verdicts(s, 0, p->points, COMPARISON_SLOWER);
    free(s);
    return slower > 0;
}

/* Returns the fraction of changed points that are called slower. */
static double share_slower(gsl_rng *rng, const void *with)
{
    const struct pair *p = with;
    struct study *s = draw_study(p, rng);
    const size_t slower = count_verdicts(s, 0, p->changed, COMPARISON_SLOWER);
    free(s);
    return (double)slower / (double)p->changed;
}

#define FEW .points = FEW_POINTS, .launches = LAUNCHES
#define MODES(share)                                                                               \
    {                                                                                              \
        .deviation = 0.01, .mode = (share), .slower = 0.3                                          \
    }

static const struct pair same = {.world = {.deviation = 0.02}, FEW};
static const struct pair same_many = {
    .world = {.deviation = 0.02}, .points = MOST_POINTS, .launches = LAUNCHES};
static const struct pair same_wide = {.world = {.deviation = 0.25}, FEW};
static const struct pair same_modes = {.world = MODES(0.4), FEW};
static const struct pair same_18 = {
    .world = MODES(0.4), .points = FEW_POINTS, .launches = 2 * LAUNCHES};
static const struct pair rounds = {
    .world = {.deviation = 0.005, .common = 0.02, .correlation = 0.7}, FEW};
static const struct pair level = {.world = {.deviation = 0.02}, FEW, .session = 0.03};
static const struct pair level_anchors = {
    .world = {.deviation = 0.02}, FEW, .session = 0.03, .anchors = 3};
static const struct pair level_anchor = {
    .world = {.deviation = 0.02}, FEW, .session = 0.03, .anchors = 1};
static const struct pair level_many = {.world = {.deviation = 0.02},
                                       .session = 0.03,
                                       .points = MOST_POINTS,
                                       .launches = LAUNCHES,
                                       .anchors = 3};
static const struct pair level_few = {
    .world = {.deviation = 0.02}, .session = 0.03, .points = 5, .launches = LAUNCHES};
static const struct pair ten_of_few = {
    .world = {.deviation = 0.02}, .change = 0.10, .changed = 5, .points = 5, .launches = LAUNCHES};
static const struct pair ten = {.world = {.deviation = 0.02}, FEW, .change = 0.10, .changed = 3};
static const struct pair ten_all = {
    .world = {.deviation = 0.02}, FEW, .change = 0.10, .changed = FEW_POINTS};
static const struct pair ten_anchors = {
    .world = {.deviation = 0.02}, FEW, .change = 0.10, .changed = 7, .anchors = 3};
static const struct pair ten_bad = {
    .world = {.deviation = 0.02}, FEW, .change = 0.10, .changed = 3, .bad = 1};
static const struct pair ten_many = {.world = {.deviation = 0.02},
                                     .change = 0.10,
                                     .changed = 30,
                                     .points = MOST_POINTS,
                                     .launches = LAUNCHES};
static const struct pair twenty = {.world = {.deviation = 0.02}, FEW, .change = 0.20, .changed = 3};
static const struct pair ten_modes = {.world = MODES(0.2), FEW, .change = 0.10, .changed = 3};
static const struct pair ten_modes_18 = {.world = MODES(0.2),
                                         .change = 0.10,
                                         .changed = 3,
                                         .points = FEW_POINTS,
                                         .launches = 2 * LAUNCHES};

static const struct row rows[] = {
    {"two equal builds, 10 points: any is called slower, 2 % noise", "≤ 5 %", ends_with_1, &same,
     0.0, 0.05, 12},
    {"the same, 315 points", "≤ 5 %", ends_with_1, &same_many, 0.0, 0.05, 60},
    {"the same, 10 points, lognormal 25 %", "≤ 5 %", ends_with_1, &same_wide, 0.0, 0.05, 12},
    {"the same, two modes 30 % apart", "≤ 5 %", ends_with_1, &same_modes, 0.0, 0.05, 12},
    {"the same, 18 launches", "≤ 5 %", ends_with_1, &same_18, 0.0, 0.05, 120},
    {"the same, each session with rounds that share an effect of 2 %, correlation 0.7", "≤ 5 %",
     ends_with_1, &rounds, 0.0, 0.05, 12},
    {"two equal builds, all of B takes 3 % longer, 10 points: any is called slower", "≤ 5 %",
     ends_with_1, &level, 0.0, 0.05, 12},
    {"the same, three of them of another library", "≤ 5 %", ends_with_1, &level_anchors, 0.0, 0.05,
     12},
    {"the same, one of them", "≤ 5 %", ends_with_1, &level_anchor, 0.0, 0.05, 12},
    {"the same, 315 points, three of another library", "≤ 5 %", ends_with_1, &level_many, 0.0, 0.05,
     60},
    {"the same, 5 points, none of another library", "≤ 5 %", ends_with_1, &level_few, 0.0, 0.0, 12},
    {"for contrast: 10 points of them, as if the two were one session", "5 %, not kept",
     ends_with_1_alone, &level, 0.1, 1.0, 12},
    {"3 of 10 points take 10 % more: they are called slower, 2 % noise", "power", share_slower,
     &ten, 0.0, 1.0, 12},
    {"the same, 20 % more", "≥ 95 %", share_slower, &twenty, 0.95, 1.0, 12},
    {"30 of 315 points take 10 % more: they are called slower", "≥ 95 %", share_slower, &ten_many,
     0.95, 1.0, 60},
    {"7 points of ours take 10 % more, and 3 of another library do not", "≥ 95 %", share_slower,
     &ten_anchors, 0.90, 1.0, 12},
    {"3 of 10 points take 10 % more, one launch of nine takes three times as long", "power",
     share_slower, &ten_bad, 0.0, 1.0, 12},
    {"the same, two modes 30 % apart, a fifth of the launches in the slower", "≥ 95 %",
     share_slower, &ten_modes, 0.95, 1.0, 12},
    {"the same, 18 launches", "≥ 95 %", share_slower, &ten_modes_18, 0.95, 1.0, 120},
    {"all of 10 points take 10 % more, none of another library", "none: it may be the session",
     share_slower, &ten_all, 0.0, 0.05, 12},
    {"all of 5 points take 10 % more, none of another library", "none: it may be the session",
     share_slower, &ten_of_few, 0.0, 0.0, 12},
};

const struct section rows_of_comparisons = {"Two result sets compared", rows,
                                            sizeof rows / sizeof *rows};
