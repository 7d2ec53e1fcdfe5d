/* Times of a point that several sessions measured: what the interval says about another
 * session. */
#include "experiments/analysis/trust/round_effects.h"
#include "experiments/analysis/trust/session_level.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_SESSIONS = 4 };

struct sessions_world {
    struct world world;
    size_t sessions, launches; /* launches: of each session */
    double apart;              /* standard deviation of the sessions' logarithms */
    bool together;             /* ignores the sessions */
};

struct measured {
    double seconds[MOST_LAUNCHES], effects[MOST_SESSIONS];
    size_t of[MOST_LAUNCHES], count;
};

static void draw(struct measured *m, const struct sessions_world *w, gsl_rng *rng)
{
    m->count = 0;
    for (size_t s = 0; s < w->sessions; s++) {
        double *here = m->seconds + m->count;
        world_launches(here, 0, w->launches, &w->world, NULL, rng);
        m->effects[s] = gsl_ran_gaussian(rng, w->apart);
        for (size_t i = 0; i < w->launches; i++) {
            here[i] *= exp(m->effects[s]);
            m->of[m->count++] = s + 1;
        }
    }
}

static double width_of(const struct measured *m)
{
    double width;
    if (!session_level_width(m->seconds, m->of, m->count, &width))
        exit(4);
    return width;
}

static struct interval interval_of(const struct measured *m, bool together)
{
    return round_effects_widen(world_interval(m->seconds, m->count),
                               world_median(m->seconds, m->count), together ? 0.0 : width_of(m));
}

/* 1 if the interval contains the time about which sessions scatter. */
static double covers(gsl_rng *rng, const void *with)
{
    const struct sessions_world *w = with;
    struct measured m;
    draw(&m, w, rng);
    return world_holds(interval_of(&m, w->together), world_truth(&w->world));
}

/* ... or if a note reports that the two sessions differ. */
static double covers_or_lists(gsl_rng *rng, const void *with)
{
    const struct sessions_world *w = with;
    struct measured m;
    struct session_ranks ranks;
    draw(&m, w, rng);
    if (!launch_order_sessions(&ranks, m.seconds, m.of, m.count))
        exit(4);
    return ranks.p_value <= 0.05 || world_holds(interval_of(&m, false), world_truth(&w->world));
}

/* For two sessions: 1 if the interval contains the median of their two distributions. */
static double covers_these_two(gsl_rng *rng, const void *with)
{
    const struct sessions_world *w = with;
    struct measured m;
    draw(&m, w, rng);
    const double truth = world_truth(&w->world) * exp(0.5 * (m.effects[0] + m.effects[1]));
    return world_holds(interval_of(&m, false), truth);
}

/* Returns how much wider the interval is, as a fraction. */
static double wider(gsl_rng *rng, const void *with)
{
    struct measured m;
    draw(&m, with, rng);
    const struct interval own = interval_of(&m, true), i = interval_of(&m, false);
    return log(i.upper / i.lower) / log(own.upper / own.lower) - 1.0;
}

#define NINE(of, far)                                                                              \
    {                                                                                              \
        .world = {.deviation = 0.02}, .sessions = (of), .launches = LAUNCHES, .apart = (far)       \
    }

static const struct sessions_world two_apart = NINE(2, 0.05), two_near = NINE(2, 0.01),
                                   three_equal = NINE(3, 0.0), three_near = NINE(3, 0.01),
                                   three_apart = NINE(3, 0.02), three_far = NINE(3, 0.10),
                                   four_equal = NINE(4, 0.0), four_near = NINE(4, 0.01),
                                   four_apart = NINE(4, 0.02), four_far = NINE(4, 0.10);
static const struct sessions_world three_together = {
    .world = {.deviation = 0.02}, .sessions = 3, .launches = 9, .apart = 0.02, .together = true};
static const struct sessions_world two_together = {
    .world = {.deviation = 0.02}, .sessions = 2, .launches = 9, .apart = 0.05, .together = true};
static const struct sessions_world three_short = {
    .world = {.deviation = 0.02}, .sessions = 3, .launches = 3, .apart = 0.02};
static const struct sessions_world three_modes = {
    .world = {.deviation = 0.01, .mode = 0.2, .slower = 0.3},
    .sessions = 3,
    .launches = 9,
    .apart = 0.05};

static const struct row rows[] = {
    {"three sessions of nine launches that do not differ, 2 % noise", "≥ 95 %", covers,
     &three_equal, 0.95, 1.0, 1},
    {"the same, sessions differ by 1 %", "93 to 97 %", covers, &three_near, 0.92, 0.985, 1},
    {"the same, by 2 %", "93 to 97 %", covers, &three_apart, 0.92, 0.985, 1},
    {"the same, by 10 %", "93 to 97 %", covers, &three_far, 0.92, 0.985, 1},
    {"sessions of three launches that differ by 2 %", "93 to 97 %", covers, &three_short, 0.90,
     0.985, 1},
    {"sessions that differ by 5 %, a fifth of the launches in a mode 30 % slower", "93 to 97 %",
     covers, &three_modes, 0.92, 0.985, 1},
    {"for contrast: three sessions that differ by 2 %, launches as if of one", "95 %, not kept",
     covers, &three_together, 0.3, 0.9, 1},
    {"four sessions of nine launches that do not differ, 2 % noise", "≥ 95 %", covers, &four_equal,
     0.95, 1.0, 1},
    {"the same, sessions differ by 1 %", "93 to 97 %", covers, &four_near, 0.92, 0.985, 1},
    {"the same, by 2 %", "93 to 97 %", covers, &four_apart, 0.92, 0.985, 1},
    {"the same, by 10 %", "93 to 97 %", covers, &four_far, 0.92, 0.985, 1},
    {"two sessions that differ by 5 %: time of these two", "≥ 95 %", covers_these_two, &two_apart,
     0.95, 1.0, 1},
    {"the same: time of all sessions covered, or their difference reported", "power",
     covers_or_lists, &two_apart, 0.6, 1.0, 1},
    {"two sessions that differ by 1 %: the same", "power", covers_or_lists, &two_near, 0.5, 1.0, 1},
    {"for contrast: two sessions that differ by 5 %, time of all sessions", "95 %, not kept",
     covers, &two_together, 0.0, 0.8, 1},
    {"three sessions that do not differ: intervals are wider by", "price", wider, &three_equal, 0.0,
     1.5, 6},
    {"four sessions that do not differ: intervals are wider by", "price", wider, &four_equal, 0.0,
     1.5, 6},
};

const struct section rows_of_sessions = {"Times of several sessions: coverage", rows,
                                         sizeof rows / sizeof *rows};
