/* The laws, the estimates and the fits: known answers, exact curves, and coverage under noise. */
#include "experiments/analysis/fits/fits.h"
#include "experiments/analysis/speedup/scaling.h"
#include "tests/experiments/support/synthetic.h"
#include "tests/support/unit_test.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 12, LAUNCHES = 6, SAMPLES = 5 };

static int close_to(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance;
}

/* The figures of the tesina for f = 0.61; it truncates digits and does not round them. */
TEST(amdahl_tesina)
{
    assert_true(close_to(amdahl_speedup(0.61, 640), 2.5578, 1e-4));
    assert_true(close_to(amdahl_speedup(0.61, 2496), 2.5624, 1e-4));
    assert_true(close_to(amdahl_speedup(0.61, 2560), 2.5625, 1e-4));
    assert_true(close_to(amdahl_bound(0.61), 1.0 / 0.39, 1e-12));
    assert_true(close_to(amdahl_speedup(0.61, 1), 1.0, 1e-15));
    assert_true(isinf(amdahl_bound(1.0)));
}

TEST(laws_known)
{
    /* The Karp-Flatt metric returns the serial fraction that was put into Amdahl's law. */
    for (int p = 2; p <= 64; p *= 2)
        assert_true(close_to(karp_flatt(amdahl_speedup(0.9, p), p), 0.1, 1e-12));
    assert_true(isnan(karp_flatt(1.0, 1.0)));
    assert_true(close_to(gustafson_speedup(0.05, 1024), 972.85, 1e-9));
    assert_true(close_to(usl_speedup(0.0, 0.0, 8), 8.0, 1e-15));
    assert_true(close_to(usl_speedup(0.02, 0.0005, 32), 32.0 / (1 + 0.62 + 0.496), 1e-12));
    assert_true(close_to(usl_peak(0.02, 0.0005), sqrt(0.98 / 0.0005), 1e-9));
    assert_true(isinf(usl_peak(0.02, 0.0)));
}

/* A curve of `count` points: x, z, and the seconds of the launches. */
struct curve {
    size_t count;
    struct fit_point points[MOST_POINTS];
    struct estimate seconds[MOST_POINTS];
};

static void curve_add(struct curve *c, double x, double z, double seconds, size_t launches,
                      const struct noise *noise, gsl_rng *rng)
{
    double values[LAUNCHES][SAMPLES];
    struct launch_values list[LAUNCHES];
    for (size_t i = 0; i < launches; i++) {
        synthetic_launch(values[i], SAMPLES, seconds, i, launches, noise, rng);
        list[i] = (struct launch_values){values[i], SAMPLES};
    }
    struct estimate *e = &c->seconds[c->count];
    assert_int_equal(estimate_make(e, list, launches, rng), 0);
    c->points[c->count] = (struct fit_point){x, z, e, NULL};
    c->count++;
}

static void curve_free(struct curve *c)
{
    for (size_t i = 0; i < c->count; i++)
        estimate_free(&c->seconds[i]);
    c->count = 0;
}

struct law {
    enum fit_model model;
    double truth[FIT_PARAMETERS];
    double x[MOST_POINTS], z[MOST_POINTS]; /* x = 0 ends the list */
};

static const struct law laws[] = {
    {FIT_AMDAHL, {3.5, 0.93}, {1, 2, 4, 8, 16, 32}, {1, 1, 1, 1, 1, 1}},
    {FIT_GUSTAFSON, {0.8, 0.07}, {1, 2, 4, 8, 16, 32}, {1, 1, 1, 1, 1, 1}},
    {FIT_USL, {2.0, 0.03, 0.002}, {1, 2, 4, 8, 16, 32}, {1, 1, 1, 1, 1, 1}},
    {FIT_POWER, {3e-9, 2.0}, {256, 512, 1024, 2048, 4096}, {1, 1, 1, 1, 1}},
    {FIT_EXPONENTIAL, {1e-3, 0.5}, {1, 2, 4, 8}, {1, 1, 1, 1}},
    {FIT_PRODUCT, {2e-9, 1.0, 3.0}, {1e4, 2e4, 4e4, 1e4, 2e4, 4e4}, {2, 4, 8, 8, 2, 4}},
};
enum { LAWS = sizeof laws / sizeof laws[0] };

static void make_curve(struct curve *c, const struct law *law, size_t launches,
                       const struct noise *noise, gsl_rng *rng)
{
    struct fit truth = {.model = law->model};
    memcpy(truth.value, law->truth, sizeof truth.value);
    for (size_t i = 0; i < MOST_POINTS && law->x[i] > 0; i++)
        curve_add(c, law->x[i], law->z[i], fit_seconds(&truth, law->x[i], law->z[i]), launches,
                  noise, rng);
}

TEST(exact_curves_give_back)
{
    const struct noise silence = {0};
    for (size_t i = 0; i < LAWS; i++) {
        struct curve c = {0};
        struct fit fit;
        make_curve(&c, &laws[i], 3, &silence, *state);
        assert_int_equal(fit_curve(&fit, laws[i].model, c.points, c.count), 0);
        assert_string_equal(fit.reason, "");
        assert_int_equal(fit.points, c.count);
        for (size_t j = 0; j < fit_descriptions[laws[i].model].parameters; j++)
            assert_true(close_to(fit.value[j] / laws[i].truth[j], 1.0, 1e-9));
        assert_true(fit.error < 1e-9);
        curve_free(&c);
    }
}

/* The textbook law, written a second time so that an error in fit_seconds is not repeated here. */
TEST(laws_by_hand)
{
    struct fit fit = {.model = FIT_AMDAHL, .value = {10.0, 0.75}};
    assert_true(close_to(fit_seconds(&fit, 4, 1), 10.0 * 0.25 + 10.0 * 0.75 / 4, 1e-12));
    fit = (struct fit){.model = FIT_GUSTAFSON, .value = {10.0, 0.25}};
    assert_true(close_to(fit_seconds(&fit, 4, 1), 10.0 * 4 / (0.25 + 0.75 * 4), 1e-12));
    fit = (struct fit){.model = FIT_USL, .value = {10.0, 0.1, 0.01}};
    assert_true(close_to(fit_seconds(&fit, 4, 1), 10.0 * (1 + 0.3 + 0.12) / 4, 1e-12));
    fit = (struct fit){.model = FIT_PRODUCT, .value = {2.0, 2.0, 3.0}};
    assert_true(close_to(fit_seconds(&fit, 3, 2), 2.0 * 9 * 8, 1e-12));
}

TEST(too_few_workers)
{
    const struct noise silence = {0};
    const struct {
        enum fit_model model;
        size_t points;
        int made;
    } cases[] = {{FIT_AMDAHL, 2, 0}, {FIT_AMDAHL, 3, 1}, {FIT_USL, 3, 0},       {FIT_USL, 4, 1},
                 {FIT_POWER, 2, 0},  {FIT_POWER, 3, 1},  {FIT_GUSTAFSON, 2, 0}, {FIT_AMDAHL, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct curve c = {0};
        struct fit fit;
        make_curve(&c, &laws[0], 3, &silence, *state);
        /* a repeated worker count adds no new one */
        struct fit_point points[MOST_POINTS];
        memcpy(points, c.points, sizeof points);
        for (size_t j = cases[i].points; cases[i].points && j < c.count; j++)
            points[j].x = points[0].x;
        size_t count = cases[i].points ? c.count : 0;
        assert_int_equal(fit_curve(&fit, cases[i].model, points, count), 0);
        assert_int_equal(fit.reason[0] == '\0' || fit.bent, cases[i].made);
        assert_int_equal(fit.distinct, cases[i].points);
        assert_int_equal(isnan(fit.value[1]) != 0, !cases[i].made);
        curve_free(&c);
    }
}

/* If the solver fails, the result has a reason instead of numbers, and nothing aborts. */
TEST(no_solution_is_reported)
{
    const struct noise silence = {0};
    struct curve c = {0};
    struct fit fit;
    make_curve(&c, &laws[4], 3, &silence, *state);
    c.points[3].x = INFINITY;
    assert_int_equal(fit_curve(&fit, FIT_EXPONENTIAL, c.points, c.count), 0);
    assert_string_not_equal(fit.reason, "");
    assert_true(isnan(fit.value[0]) && isnan(fit.interval[0].lower) && isnan(fit.error));
    curve_free(&c);
}

/* The share of noisy draws, in per mille, whose 95 % interval contains the truth, for each
 * parameter. */
TEST(noisy_curves_cover)
{
    const int draws = long_run() ? 1000 : 120;
    const struct noise noise = {.launch = 0.02, .sample = 0.02};
    for (size_t i = 0; i < LAWS; i++) {
        int covered[FIT_PARAMETERS] = {0};
        size_t parameters = fit_descriptions[laws[i].model].parameters;
        for (int draw = 0; draw < draws; draw++) {
            struct curve c = {0};
            struct fit fit;
            make_curve(&c, &laws[i], LAUNCHES, &noise, *state);
            assert_int_equal(fit_curve(&fit, laws[i].model, c.points, c.count), 0);
            for (size_t j = 0; j < parameters; j++)
                covered[j] += fit.interval[j].lower <= laws[i].truth[j] &&
                              laws[i].truth[j] <= fit.interval[j].upper;
            curve_free(&c);
        }
        for (size_t j = 0; j < parameters; j++) {
            print_message(
                "%s %s: covered in %.1f %% of %d draws\n", fit_descriptions[laws[i].model].name,
                fit_descriptions[laws[i].model].parameter[j], 100.0 * covered[j] / draws, draws);
            /* 120 draws have a standard error of 2 %. */
            assert_in_range(covered[j], draws * (long_run() ? 900 : 870) / 1000,
                            draws * (long_run() ? 990 : 1000) / 1000);
        }
    }
}

/* One draw of an estimate and of the ratio of two estimates, compared with the truth. */
static void count_coverage(size_t launches, gsl_rng *rng, int *point, int *ratio)
{
    const struct noise noise = {.launch = 0.02, .sample = 0.03};
    struct curve c = {0};
    curve_add(&c, 1, 1, 2.0, launches, &noise, rng);
    curve_add(&c, 2, 1, 0.5, launches, &noise, rng);
    struct interval i = c.seconds[0].interval;
    *point += i.lower <= 2.0 && 2.0 <= i.upper;
    i = estimate_ratio_interval(&c.seconds[0], &c.seconds[1]);
    *ratio += i.lower <= 4.0 && 4.0 <= i.upper;
    curve_free(&c);
}

TEST(estimates_cover)
{
    const int draws = long_run() ? 4000 : 500;
    for (size_t launches = 2; launches <= LAUNCHES; launches++) {
        int point = 0, ratio = 0;
        for (int draw = 0; draw < draws; draw++)
            count_coverage(launches, *state, &point, &ratio);
        print_message("%zu launches: time covered in %.1f %%, ratio in %.1f %% of %d draws\n",
                      launches, 100.0 * point / draws, 100.0 * ratio / draws, draws);
        assert_true(point >= draws * 0.90);
        assert_true(ratio >= draws * 0.90);
    }
}

TEST(estimate_known)
{
    double a[] = {3, 1, 2}, b[] = {10, 30, 20, 40, 50}, c[] = {5};
    struct launch_values launches[] = {{a, 3}, {b, 5}, {NULL, 0}, {c, 1}};
    struct estimate e;
    assert_int_equal(estimate_make(&e, launches, 4, *state), 0);
    assert_int_equal(e.launches, 3);
    assert_int_equal(e.samples, 9);
    assert_true(e.value == 5.0); /* the median of 2, 30 and 5 */
    assert_true(e.interval.lower < 5.0 && e.interval.upper > 5.0);
    estimate_free(&e);

    double ten[] = {7, 1, 10, 3, 5, 2, 9, 4, 8, 6};
    struct launch_values one = {ten, 10};
    assert_int_equal(estimate_make(&e, &one, 1, *state), 0);
    assert_true(e.value == 5.5 && e.interval.lower == 2.0 && e.interval.upper == 9.0);
    assert_non_null(e.draws);
    estimate_free(&e);
}

TEST(estimate_of_nothing)
{
    struct estimate e;
    assert_int_equal(estimate_make(&e, NULL, 0, *state), 0);
    assert_true(isnan(e.value) && e.draws == NULL);
    double zeros[] = {0, 0, 0, 0, 0, 0};
    struct launch_values one = {zeros, 6};
    assert_int_equal(estimate_make(&e, &one, 1, *state), 0);
    assert_true(e.value == 0.0 && e.draws == NULL);
    struct estimate none = estimate_none();
    assert_true(isnan(estimate_ratio_interval(&e, &none).lower));
}

/* A fixed cost added to k^3 gives no power of k: it grows as k^0.0 at one end and as k^2.9 at the
 * other. */
TEST(a_bent_curve_is_no_power_law)
{
    const struct noise quiet = {0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct curve c = {0}, straight = {0};
    struct fit fit;
    for (int k = 2; k <= 64; k *= 2) {
        curve_add(&c, k, 1.0, 1e-3 * (1.0 + pow(k / 10.0, 3.0)), LAUNCHES, &quiet, rng);
        curve_add(&straight, k, 1.0, 1e-6 * pow(k, 2.4), LAUNCHES, &quiet, rng);
    }
    assert_int_equal(fit_curve(&fit, FIT_POWER, c.points, c.count), 0);
    assert_true(fit.bent);
    assert_true(fit.end_exponent[0] < 0.5 && fit.end_exponent[1] > 2.0);
    assert_true(fit.end[0] == 2.0 && fit.end[1] == 64.0);
    assert_non_null(strstr(fit.reason, "no one power: the exponent goes from "));
    assert_int_equal(fit_curve(&fit, FIT_POWER, straight.points, straight.count), 0);
    assert_false(fit.bent);
    assert_true(fit.reason[0] == '\0' && close_to(fit.value[1], 2.4, 1e-6));
    curve_free(&c);
    curve_free(&straight);
    gsl_rng_free(rng);
}

const struct tests_group tests_group = {open_generator, close_generator};
