/* The fastest of several methods: false claims of tables, and the time of the chosen method. */
#include "experiments/analysis/best/choice.h"
#include "experiments/analysis/best/with_best.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { METHODS = 8, TABLES = 10 };

/* A table of methods that were measured in the same rounds. */
struct table {
    struct samples samples;
    struct launch launches[METHODS * MOST_LAUNCHES];
    struct point_samples of[METHODS];
    struct point points[METHODS];
    const struct point *list[METHODS];
    double medians[METHODS][MOST_LAUNCHES];
};

struct methods {
    struct world world;
    size_t launches;
    double longer; /* the last method takes longer by this fraction */
    bool bad;      /* one launch of the first method takes three times as long */
    bool naive;    /* the same rounds choose and time */
    bool slowest;  /* chooses the slowest */
};

static void fill_point(struct table *t, size_t i, const struct methods *m, const double *effects,
                       gsl_rng *rng)
{
    struct point *p = &t->points[i];
    world_launches(t->medians[i], 0, m->launches, &m->world, effects, rng);
    for (size_t j = 0; j < m->launches; j++) {
        t->medians[i][j] *= i + 1 == METHODS ? 1.0 + m->longer : 1.0;
        t->medians[i][j] *= m->bad && i == 0 && j == 0 ? 3.0 : 1.0;
        t->launches[i * m->launches + j] = (struct launch){
            .point = i, .round = (int64_t)j, .finished = true, .run_id = "", .host = ""};
    }
    t->of[i] = (struct point_samples){.first = i * m->launches, .count = m->launches};
    double sorted[MOST_LAUNCHES];
    for (size_t j = 0; j < m->launches; j++)
        sorted[j] = t->medians[i][j];
    const struct summary s = summarise(sorted, m->launches);
    *p = (struct point){.samples = &t->of[i], .trust = TRUST_PRECISE};
    p->medians[METRIC_TOTAL] = t->medians[i];
    p->seconds[METRIC_TOTAL] = (struct estimate){.launches = m->launches,
                                                 .value = s.median,
                                                 .interval = {s.lower, s.upper},
                                                 .freedom = (double)m->launches - 1.0,
                                                 .variance = NAN};
    t->list[i] = p;
}

static struct table *make_table(const struct methods *m, gsl_rng *rng)
{
    struct table *t = calloc(1, sizeof *t);
    double effects[MOST_LAUNCHES];
    if (!t) {
        fprintf(stderr, "not enough memory\n");
        exit(4);
    }
    world_rounds(effects, m->launches, &m->world, rng);
    for (size_t i = 0; i < METHODS; i++)
        fill_point(t, i, m, effects, rng);
    t->samples = (struct samples){.points = t->of,
                                  .point_count = METHODS,
                                  .launches = t->launches,
                                  .launch_count = METHODS * m->launches};
    return t;
}

static size_t fastest(const struct table *t)
{
    size_t best = 0;
    for (size_t i = 1; i < METHODS; i++)
        if (point_stands_before(&t->points[i], &t->points[best]))
            best = i;
    return best;
}

static void compare(struct with_best *with, const struct table *t, const struct methods *m)
{
    const size_t best = fastest(t);
    if (compare_with_best(with, &t->samples, t->list, METHODS, best, METRIC_TOTAL, TABLES) != 0)
        exit(4);
    for (size_t i = 0; m->naive && i < METHODS; i++) {
        const struct comparison_of_points c =
            compare_points(&t->samples, t->list[i], t->list[best], METRIC_TOTAL);
        with[i].differs = c.interval.lower > 1.0;
    }
}

/* A page has tables of equal methods; 1 if some row is reported to take longer. */
static double page_claims(gsl_rng *rng, const void *with)
{
    const struct methods *m = with;
    bool any = false;
    for (size_t i = 0; i < (m->naive ? 1 : TABLES); i++) {
        struct table *t = make_table(m, rng);
        struct with_best rows[METHODS];
        compare(rows, t, m);
        for (size_t j = 0; j < METHODS; j++)
            any = any || rows[j].differs;
        free(t);
    }
    return any;
}

/* 1 if the method that takes longer is found. */
static double last_found(gsl_rng *rng, const void *with)
{
    struct table *t = make_table(with, rng);
    struct with_best rows[METHODS];
    compare(rows, t, with);
    const bool found = rows[METHODS - 1].differs && rows[METHODS - 1].interval.lower > 1.0;
    free(t);
    return found;
}

/* 1 if the interval of the fastest of equal methods contains the time that all of them take. */
static double choice_covers(gsl_rng *rng, const void *with)
{
    const struct methods *m = with;
    struct table *t = make_table(m, rng);
    const struct choice crossed = choice_of(&t->samples, t->list, METHODS),
                        naive = choice_given(&t->points[fastest(t)]);
    const struct estimate e =
        choice_seconds(&t->samples, m->naive ? &naive : &crossed, METRIC_TOTAL);
    const double truth = world_truth(&m->world);
    free(t);
    return world_holds(e.interval, truth);
}

/* 1 if the time of the fastest (or the slowest) of equal methods lies on the side to which choosing
 * by the same rounds would shift it; without a shift half of them do, by chance. */
static double choice_moves(gsl_rng *rng, const void *with)
{
    const struct methods *m = with;
    struct table *t = make_table(m, rng);
    const struct choice naive = choice_given(&t->points[fastest(t)]),
                        crossed = m->slowest ? choice_of_slowest(&t->samples, t->list, METHODS)
                                             : choice_of(&t->samples, t->list, METHODS);
    const struct choice *choice = m->naive ? &naive : &crossed;
    const double time = choice_seconds(&t->samples, choice, METRIC_TOTAL).value;
    free(t);
    return m->slowest ? time > world_truth(&m->world) : time < world_truth(&m->world);
}

/* 1 if the speedup of the fastest over another method, which is as fast, has an interval that
 * contains 1. */
static double ratio_covers(gsl_rng *rng, const void *with)
{
    const struct methods *m = with;
    struct table *t = make_table(m, rng);
    /* the last method does not take part in the choice */
    const struct choice best = choice_of(&t->samples, t->list, METHODS - 1),
                        other = choice_given(&t->points[METHODS - 1]);
    const struct choice naive = choice_given(best.point);
    const struct comparison_of_points c =
        compare_choices(&t->samples, &other, m->naive ? &naive : &best, METRIC_TOTAL);
    free(t);
    return c.interval.lower <= 1.0 && c.interval.upper >= 1.0;
}

/* Ratios to the fastest of seven equal methods, one from each table; 1 if some ratio is reported to
 * differ from 1. */
static double contest_claims(gsl_rng *rng, const void *with)
{
    const struct methods *m = with;
    double p_values[METHODS];
    bool differs[METHODS], any = false;
    for (size_t i = 0; i < METHODS; i++) {
        struct table *t = make_table(m, rng);
        const struct choice best = choice_of(&t->samples, t->list, METHODS - 1),
                            other = choice_given(&t->points[METHODS - 1]);
        const struct comparison_of_points c =
            compare_choices(&t->samples, &other, &best, METRIC_TOTAL);
        p_values[i] = choices_p_value(&t->samples, &other, &best, METRIC_TOTAL);
        differs[i] = c.interval.lower > 1.0 || c.interval.upper < 1.0;
        free(t);
    }
    if (adjust_p_values(p_values, METHODS) != 0)
        exit(4);
    for (size_t i = 0; i < METHODS; i++)
        any = any || (differs[i] && (m->naive || p_values[i] <= 0.05));
    return any;
}

static const struct methods quiet = {.world = {.deviation = 0.02}, .launches = 9};
static const struct methods quiet_naive = {
    .world = {.deviation = 0.02}, .launches = 9, .naive = true};
static const struct methods quiet_slowest = {
    .world = {.deviation = 0.02}, .launches = 9, .slowest = true};
static const struct methods wide = {.world = {.deviation = 0.25}, .launches = 9};
static const struct methods modes = {.world = {.deviation = 0.01, .mode = 0.4, .slower = 0.3},
                                     .launches = 9};
static const struct methods rounds = {
    .world = {.deviation = 0.005, .common = 0.02, .correlation = 0.7}, .launches = 9};
static const struct methods six = {.world = {.deviation = 0.02}, .launches = 6};
static const struct methods eighteen = {.world = {.deviation = 0.02}, .launches = 18};
static const struct methods ten = {.world = {.deviation = 0.02}, .launches = 9, .longer = 0.10};
static const struct methods ten_bad = {
    .world = {.deviation = 0.02}, .launches = 9, .longer = 0.10, .bad = true};
static const struct methods twenty = {.world = {.deviation = 0.02}, .launches = 9, .longer = 0.20};

static const struct row rows[] = {
    {"ten tables of eight equal methods, 2 % noise: any row \"longer\"", "≤ 5 %", page_claims,
     &quiet, 0.0, 0.05, 6},
    {"the same, lognormal 25 %", "≤ 5 %", page_claims, &wide, 0.0, 0.05, 6},
    {"the same, two modes 30 % apart", "≤ 5 %", page_claims, &modes, 0.0, 0.05, 6},
    {"the same, rounds that share an effect of 2 %, correlation 0.7", "≤ 5 %", page_claims, &rounds,
     0.0, 0.05, 6},
    {"the same, six launches", "≤ 5 %", page_claims, &six, 0.0, 0.05, 6},
    {"for contrast: one table, each row by its own interval", "5 %, not kept", page_claims,
     &quiet_naive, 0.15, 0.50, 2},
    {"one method takes 20 % longer: said, 2 % noise", "≥ 95 %", last_found, &twenty, 0.95, 1.0, 2},
    {"one method takes 10 % longer: said, 2 % noise", "power", last_found, &ten, 0.5, 1.0, 2},
    {"the same, one launch of another takes three times as long", "power", last_found, &ten_bad,
     0.5, 1.0, 2},
    {"time of the fastest of eight equal methods: coverage, 2 % noise", "≥ 95 %", choice_covers,
     &quiet, 0.93, 1.0, 2},
    {"the same, lognormal 25 %", "≥ 95 %", choice_covers, &wide, 0.93, 1.0, 2},
    {"the same, two modes 30 % apart", "≥ 95 %", choice_covers, &modes, 0.93, 1.0, 2},
    {"the same, 18 launches", "≥ 95 %", choice_covers, &eighteen, 0.93, 1.0, 2},
    {"for contrast: chosen and timed by the same rounds", "95 %, not kept", choice_covers,
     &quiet_naive, 0.4, 0.93, 2},
    {"time of the fastest of eight equal methods: below the true time", "about 50 %", choice_moves,
     &quiet, 0.35, 0.65, 2},
    {"the same, 18 launches", "about 50 %", choice_moves, &eighteen, 0.35, 0.65, 2},
    {"time of the slowest: above the true time", "about 50 %", choice_moves, &quiet_slowest, 0.35,
     0.65, 2},
    {"for contrast: the fastest, chosen and timed by the same rounds", "about 50 %, not kept",
     choice_moves, &quiet_naive, 0.8, 1.0, 2},
    {"ratio to the fastest of seven equal methods: coverage", "≥ 95 %", ratio_covers, &quiet, 0.93,
     1.0, 2},
    {"for contrast: chosen and timed by the same rounds", "95 %, not kept", ratio_covers,
     &quiet_naive, 0.4, 0.93, 2},
    {"eight such ratios, 2 % noise: any differs from 1", "≤ 5 %", contest_claims, &quiet, 0.0, 0.05,
     6},
    {"the same, lognormal 25 %", "≤ 5 %", contest_claims, &wide, 0.0, 0.05, 6},
    {"the same, two modes 30 % apart", "≤ 5 %", contest_claims, &modes, 0.0, 0.05, 6},
    {"for contrast: each by its own interval", "5 %, not kept", contest_claims, &quiet_naive, 0.0,
     0.5, 6},
};

const struct section rows_of_best = {"The fastest of several", rows, sizeof rows / sizeof *rows};
