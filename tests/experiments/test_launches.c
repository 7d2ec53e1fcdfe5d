/* The statistics of launches under typical disturbances: noise, two modes, drift, a bad launch.
 * Checks how often intervals contain the truth, how many points are PRECISE, and when two modes are
 * detected. */
#include "experiments/analysis/paired_times.h"
#include "tests/experiments/support/synthetic.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAUNCHES = 9, SAMPLES = 10, POINTS = 2 };

/* ---- points of made-up launches ------------------------------------------------------------- */

/* Two points measured in the same rounds, in the structures of an analysis. */
struct made {
    double values[POINTS][LAUNCHES][SAMPLES];
    double medians[POINTS][LAUNCHES];
    struct launch launches[POINTS * LAUNCHES];
    struct point_samples groups[POINTS];
    struct point points[POINTS];
    struct samples set;
};

/* Builds a point from its values as they are, launch by launch. */
static void take_point(struct made *m, size_t which, gsl_rng *rng)
{
    struct launch_values list[LAUNCHES];
    struct point *p = &m->points[which];
    m->groups[which] = (struct point_samples){.first = which * LAUNCHES, .count = LAUNCHES};
    p->samples = &m->groups[which];
    p->medians[METRIC_TOTAL] = m->medians[which];
    for (size_t i = 0; i < LAUNCHES; i++) {
        list[i] = (struct launch_values){m->values[which][i], SAMPLES};
        m->medians[which][i] = median_of(m->values[which][i], SAMPLES);
        m->launches[which * LAUNCHES + i] =
            (struct launch){.point = which, .round = (int64_t)i, .host = "here", .run_id = ""};
    }
    assert_int_equal(estimate_make(&p->seconds[METRIC_TOTAL], list, LAUNCHES, rng), 0);
    m->set.launches = m->launches;
}

static void make_point(struct made *m, size_t which, double seconds, const struct noise *noise,
                       gsl_rng *rng)
{
    for (size_t i = 0; i < LAUNCHES; i++)
        synthetic_launch(m->values[which][i], SAMPLES, seconds, i, LAUNCHES, noise, rng);
    take_point(m, which, rng);
}

/* Multiplies the launches of both points in a round by the same factor: a drift plus a random
 * part. */
static void drift_together(struct made *m, double most, gsl_rng *rng)
{
    for (size_t i = 0; i < LAUNCHES; i++) {
        const double factor = 1.0 + most * (double)i / (LAUNCHES - 1) + 0.3 * gsl_rng_uniform(rng);
        for (size_t which = 0; which < POINTS; which++)
            for (size_t j = 0; j < SAMPLES; j++)
                m->values[which][i][j] *= factor;
    }
}

static void free_points(struct made *m)
{
    for (size_t i = 0; i < POINTS; i++)
        estimate_free(&m->points[i].seconds[METRIC_TOTAL]);
}

static bool holds(struct interval i, double truth)
{
    return i.lower <= truth && truth <= i.upper;
}

static double half_width(const struct estimate *e)
{
    return 0.5 * (e->interval.upper - e->interval.lower) / e->value;
}

static struct modes modes_of_launches(const struct made *m)
{
    double medians[LAUNCHES];
    for (size_t i = 0; i < LAUNCHES; i++)
        medians[i] = m->medians[0][i];
    sort_samples(medians, LAUNCHES);
    return modes_of(medians, LAUNCHES);
}

/* ---- intervals ------------------------------------------------------------------------------ */

static const double targets[] = {0.10, 0.03, 0.02}; /* quick, standard, full */
enum { SCALES_SHOWN = 3 };

struct tally {
    int draws, covered, precise[SCALES_SHOWN], two;
};

static void count(struct tally *t, const struct made *m, double truth)
{
    const struct estimate *e = &m->points[0].seconds[METRIC_TOTAL];
    t->draws++;
    t->covered += holds(e->interval, truth);
    t->two += modes_of_launches(m).two && modes_of_launches(m).ratio > 1.05;
    for (int i = 0; i < SCALES_SHOWN; i++)
        t->precise[i] += half_width(e) <= targets[i];
}

static void describe(const char *what, const struct tally *t)
{
    const double all = 0.01 * t->draws;
    print_message("%s: covered %.1f %%; PRECISE quick %.1f %%, standard %.1f %%, full %.1f %%; two "
                  "modes seen in %.1f %% of %d points\n",
                  what, t->covered / all, t->precise[0] / all, t->precise[1] / all,
                  t->precise[2] / all, t->two / all, t->draws);
}

static int draws_wanted(void)
{
    return long_run() ? 20000 : 2000;
}

TEST(quiet_points_are_precise)
{
    const struct noise quiet = {.launch = 0.008, .sample = 0.02};
    struct tally t = {0};
    while (t.draws < draws_wanted()) {
        struct made m = {0};
        make_point(&m, 0, 0.1, &quiet, *state);
        count(&t, &m, 0.1);
        free_points(&m);
    }
    describe("quiet", &t);
    assert_in_range(t.covered, t.draws * 93 / 100, t.draws * 98 / 100);
    assert_true(t.precise[0] == t.draws);
    assert_true(t.precise[1] >= 0.99 * t.draws);
    assert_true(t.precise[2] >= 0.90 * t.draws);
    assert_true(t.two <= 0.005 * t.draws);
}

/* One launch of nine takes twice as long: the status word and the interval do not change. */
TEST(a_bad_launch_ruins_nothing)
{
    const struct noise quiet = {.launch = 0.008, .sample = 0.02};
    struct tally t = {0};
    while (t.draws < draws_wanted()) {
        struct made m = {0};
        make_point(&m, 0, 0.1, &quiet, *state);
        estimate_free(&m.points[0].seconds[METRIC_TOTAL]);
        const size_t bad = gsl_rng_uniform_int(*state, LAUNCHES);
        for (size_t j = 0; j < SAMPLES; j++)
            m.values[0][bad][j] *= 2.0;
        take_point(&m, 0, *state);
        count(&t, &m, 0.1);
        free_points(&m);
    }
    describe("one bad launch of nine", &t);
    assert_in_range(t.covered, t.draws * 93 / 100, t.draws * 98 / 100);
    assert_true(t.precise[0] == t.draws);
    assert_true(t.precise[1] >= 0.98 * t.draws);
    assert_int_equal(t.two, 0);
}

/* Half of the launches are 30 % slower. With at least three launches in each mode, both modes are
 * detected. */
TEST(two_modes_are_seen)
{
    const struct noise modes = {.launch = 0.008, .sample = 0.02, .mode = 0.5, .slower = 0.3};
    int all = 0, seen = 0, reported = 0;
    while (all < draws_wanted()) {
        struct made m = {0};
        make_point(&m, 0, 0.1, &modes, *state);
        size_t slow = 0;
        for (size_t i = 0; i < LAUNCHES; i++)
            slow += m.medians[0][i] > 0.115;
        const struct modes found = modes_of_launches(&m);
        if (slow >= 3 && slow <= LAUNCHES - 3) {
            all++;
            seen += found.two;
            reported += found.two && fabs(found.slow - (double)slow / LAUNCHES) < 1e-9 &&
                        fabs(found.ratio - 1.3) < 0.05;
        } else {
            assert_false(found.two && found.ratio > 1.2);
        }
        free_points(&m);
    }
    print_message("two modes: seen in %.1f %% of %d points\n", 100.0 * seen / all, all);
    assert_true(seen >= 0.99 * all && reported >= 0.98 * all);
}

/* Wide noise alone is not taken for two modes. */
TEST(wide_noise_has_one_mode)
{
    const struct noise wide[] = {{.launch = 0.10, .sample = 0.05},
                                 {.launch = 0.02, .sample = 0.05, .outlier = 0.1},
                                 {.launch = 0.01, .sample = 0.02, .trend = 0.3}};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        struct tally t = {0};
        while (t.draws < draws_wanted()) {
            struct made m = {0};
            make_point(&m, 0, 0.1, &wide[i], *state);
            count(&t, &m, 0.1);
            free_points(&m);
        }
        print_message("noise %zu: two modes in %.2f %%\n", i, 100.0 * t.two / t.draws);
        assert_true(t.two <= 0.01 * t.draws);
    }
}

/* The same rule for many samples within launches. */
TEST(modes_of_many_samples)
{
    enum { MANY = 400 };
    double values[MANY];
    for (int half = 0; half < 2; half++) {
        for (size_t i = 0; i < MANY; i++)
            values[i] = (half && i % 2 ? 1.2 : 1.0) * (1.0 + 0.02 * gsl_rng_uniform(*state));
        sort_samples(values, MANY);
        const struct modes m = modes_of(values, MANY);
        assert_int_equal(m.two, half);
        assert_true(fabs(m.ratio - (half ? 1.2 : 1.0)) < 0.01);
    }
    assert_false(modes_of(values, 7).two);
    assert_false(modes_of(NULL, 0).two);
    for (size_t i = 0; i < MANY; i++)
        values[i] = 1.0;
    assert_false(modes_of(values, MANY).two);
}

/* ---- ratios --------------------------------------------------------------------------------- */

/* The machine slows down by half in the course of the rounds, with jumps of 30 % from round to
 * round: the times become useless, but their ratio does not. */
TEST(ratios_within_rounds_cover_under_drift)
{
    const struct noise noise = {.launch = 0.01, .sample = 0.02};
    int all = 0, covered = 0, paired = 0, precise = 0, unpaired_precise = 0;
    while (all < draws_wanted()) {
        struct made m = {0};
        make_point(&m, 0, 0.2, &noise, *state);
        make_point(&m, 1, 0.1, &noise, *state);
        free_points(&m);
        drift_together(&m, 0.5, *state);
        take_point(&m, 0, *state);
        take_point(&m, 1, *state);
        const struct comparison_of_points c =
            compare_points(&m.set, &m.points[0], &m.points[1], METRIC_TOTAL);
        const struct interval apart = estimate_ratio_interval(&m.points[0].seconds[METRIC_TOTAL],
                                                              &m.points[1].seconds[METRIC_TOTAL]);
        all++;
        covered += holds(c.interval, 2.0);
        paired += c.pairs == LAUNCHES;
        precise += c.interval.upper - c.interval.lower <= 2.0 * ratio_target * c.value;
        unpaired_precise += apart.upper - apart.lower <= 2.0 * ratio_target * c.value;
        free_points(&m);
    }
    print_message("ratios under drift: covered %.1f %%, PRECISE %.1f %% of %d; unpaired %.1f %%\n",
                  100.0 * covered / all, 100.0 * precise / all, all,
                  100.0 * unpaired_precise / all);
    assert_int_equal(paired, all);
    assert_in_range(covered, all * 93 / 100, all * 98 / 100);
    assert_true(precise >= 0.99 * all);
    assert_true(unpaired_precise <= 0.05 * all);
}

/* Which launches are paired, and when none are. */
TEST(pairs_are_of_one_round_and_machine)
{
    const struct noise silence = {0};
    static const char there[] = "there", one[] = "one", other[] = "other";
    struct made m = {0};
    struct comparison_of_points c;
    make_point(&m, 0, 0.2, &silence, *state);
    make_point(&m, 1, 0.1, &silence, *state);
    c = compare_points(&m.set, &m.points[0], &m.points[1], METRIC_TOTAL);
    assert_int_equal(c.pairs, LAUNCHES);
    assert_true(fabs(c.value - 2.0) < 1e-12);
    c = compare_points(&m.set, &m.points[0], &m.points[0], METRIC_TOTAL);
    assert_true(c.value == 1.0 && c.interval.lower == 1.0 && c.interval.upper == 1.0);
    m.launches[0].host = m.launches[1].host = there; /* seven rounds remain */
    c = compare_points(&m.set, &m.points[0], &m.points[1], METRIC_TOTAL);
    assert_int_equal(c.pairs, LAUNCHES - 2);
    m.launches[2].round = RECORD_NO_INT;
    m.medians[1][3] = NAN; /* left out */
    c = compare_points(&m.set, &m.points[0], &m.points[1], METRIC_TOTAL);
    assert_int_equal(c.pairs, 0); /* five are too few: medians instead */
    assert_true(fabs(c.value - 2.0) < 1e-12);
    free_points(&m);

    m = (struct made){0};
    make_point(&m, 0, 0.2, &silence, *state);
    make_point(&m, 1, 0.1, &silence, *state);
    /* Round 0 has two launches of each point: the processes show which ones belong together. */
    for (size_t i = 0; i < LAUNCHES; i++)
        m.launches[i].run_id = m.launches[LAUNCHES + i].run_id = one;
    m.launches[0].run_id = m.launches[LAUNCHES + 1].run_id = other;
    m.launches[1].round = m.launches[LAUNCHES + 1].round = 0;
    m.medians[0][0] *= 10.0;
    m.medians[1][1] *= 10.0;
    c = compare_points(&m.set, &m.points[0], &m.points[1], METRIC_TOTAL);
    assert_int_equal(c.pairs, LAUNCHES);
    assert_true(fabs(c.interval.lower - 2.0) < 1e-12 && fabs(c.interval.upper - 2.0) < 1e-12);
    free_points(&m);
}

/* Nine launches: the interval is from the 2nd to the 8th value. Six: the range. Five: resampled,
 * and wider than the range of the middle ones. */
TEST(intervals_are_launches)
{
    double values[LAUNCHES];
    struct launch_values list[LAUNCHES];
    struct estimate e;
    for (size_t i = 0; i < LAUNCHES; i++) {
        values[i] = 1.0 + 0.1 * (double)((i * 5) % LAUNCHES); /* 1.0 .. 1.8, shuffled */
        list[i] = (struct launch_values){&values[i], 1};
    }
    assert_int_equal(estimate_make(&e, list, 9, *state), 0);
    assert_true(fabs(e.interval.lower - 1.1) < 1e-12 && fabs(e.interval.upper - 1.7) < 1e-12);
    estimate_free(&e);
    assert_int_equal(estimate_make(&e, list, 6, *state), 0); /* 1.0 1.5 1.1 1.6 1.2 1.7 */
    assert_true(fabs(e.interval.lower - 1.0) < 1e-12 && fabs(e.interval.upper - 1.7) < 1e-12);
    estimate_free(&e);
    assert_int_equal(estimate_make(&e, list, 5, *state), 0);
    assert_true(e.interval.lower > 0.0 && e.interval.lower < e.value && e.value < e.interval.upper);
    estimate_free(&e);
}

const struct tests_group tests_group = {open_generator, close_generator};
