/* Performance portability: known answers of the harmonic mean, 0 if a machine lacks the method, and
 * an interval that covers the truth. And machines with one label. */
#include "experiments/analysis/portability.h"
#include "experiments/report/page/machines.h"
#include "tests/support/unit_test.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

static void near(double found, double wanted)
{
    assert_true(fabs(found - wanted) < 1e-12);
}

/* Constants have no spread: the interval is the value itself. */
TEST(means_are_harmonic)
{
    const struct efficiency two[] = {{0.5, NULL, NULL}, {1.0, NULL, NULL}};
    const struct efficiency lacking[] = {{0.5, NULL, NULL}, {0.0, NULL, NULL}, {NAN, NULL, NULL}};
    const struct efficiency unknown[] = {{0.5, NULL, NULL}, {NAN, NULL, NULL}};
    near(portability_of(two, 2).value, 2.0 / 3.0);
    near(portability_of(two, 2).interval.lower, 2.0 / 3.0);
    near(portability_of(two, 1).value, 0.5);
    near(portability_of(lacking, 2).value, 0.0);
    near(portability_of(lacking, 2).interval.upper, 0.0);
    assert_true(isnan(portability_of(unknown, 2).value));
    assert_true(isnan(portability_of(unknown, 2).interval.lower));
}

enum { LAUNCHES = 9, MACHINES = 3 };

/* Draws the times of `LAUNCHES` launches around `middle`. */
static struct estimate draw(double middle, double sigma, gsl_rng *rng)
{
    struct estimate e;
    double values[LAUNCHES];
    struct launch_values launches[LAUNCHES];
    for (size_t i = 0; i < LAUNCHES; i++) {
        values[i] = middle * gsl_ran_lognormal(rng, 0.0, sigma);
        launches[i] = (struct launch_values){&values[i], 1};
    }
    assert_int_equal(estimate_make(&e, launches, LAUNCHES, rng), 0);
    return e;
}

/* If a method has no launches to resample, the result has a value and no interval. The fastest
 * method, compared with itself, has no spread. */
TEST(spread_is_that_of_the_launches)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct estimate one = draw(1.0, 0.1, rng), other = draw(2.0, 0.1, rng), bare = estimate_none();
    const struct efficiency itself = {1.0, &one, &one}, half = {0.5, &other, &one},
                            unknown[] = {half, {0.5, &bare, &one}};
    near(portability_of(&itself, 1).interval.upper, 1.0);
    const struct portability p = portability_of(&half, 1);
    assert_true(p.interval.lower < 0.49 && p.interval.upper > 0.51);
    near(portability_of(unknown, 2).value, 0.5);
    assert_true(isnan(portability_of(unknown, 2).interval.lower));
    estimate_free(&one);
    estimate_free(&other);
    gsl_rng_free(rng);
}

/* Three machines, times with a noise of 10 %. The interval contains the true value in at least 93
 * of 100 trials, and half of it is less than 1.4 times as wide as 1.96 standard deviations of the
 * values. */
TEST(intervals_cover)
{
    static const double ratios[MACHINES] = {1.0, 1.5, 4.0};
    enum { TRIALS = 400 };
    const double truth = MACHINES / (ratios[0] + ratios[1] + ratios[2]);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int covered = 0;
    double squares = 0.0, halves = 0.0;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct estimate slow[MACHINES], fast[MACHINES];
        struct efficiency e[MACHINES];
        for (size_t i = 0; i < MACHINES; i++) {
            fast[i] = draw(1e-3, 0.1, rng);
            slow[i] = draw(1e-3 * ratios[i], 0.1, rng);
            e[i] = (struct efficiency){fast[i].value / slow[i].value, &slow[i], &fast[i]};
        }
        const struct portability p = portability_of(e, MACHINES);
        squares += log(p.value / truth) * log(p.value / truth);
        halves += 0.5 * log(p.interval.upper / p.interval.lower);
        covered += p.interval.lower <= truth && truth <= p.interval.upper;
        for (size_t i = 0; i < MACHINES; i++) {
            estimate_free(&fast[i]);
            estimate_free(&slow[i]);
        }
    }
    const double wide = halves / TRIALS / (1.96 * sqrt(squares / TRIALS));
    print_message("covered: %d of %d, %.2f times as wide as needed\n", covered, TRIALS, wide);
    assert_true(covered >= 93 * TRIALS / 100 && wide < 1.4);
    gsl_rng_free(rng);
}

/* A long label is shortened, so that the folder is still told. */
TEST(long_labels_leave_the_folder)
{
    static struct machines m;
    char label[237];
    memset(label, 'l', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    m.count = 2;
    m.all[0] = (struct report_data){.folder = "results/one", .label = label};
    m.all[1] = (struct report_data){.folder = "results/other", .label = label};
    machines_distinguish(&m);
    assert_non_null(strstr(m.all[0].label, "lll... (one)"));
    assert_non_null(strstr(m.all[1].label, "lll... (other)"));
}
