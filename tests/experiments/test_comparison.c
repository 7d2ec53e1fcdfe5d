/* Compares two result sets: how often equal ones are called different, and how often changes are
 * found. */
#include "experiments/analysis/comparison.h"
#include "experiments/analysis/paired_comparison.h"
#include "experiments/analysis/pairs/launch_pairs.h"
#include "experiments/analysis/session_comparison.h"
#include "experiments/analysis/splits.h"
#include "harness/base/statistics.h"
#include "tests/experiments/support/synthetic.h"
#include "tests/support/unit_test.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>

enum { LAUNCHES = 6, SAMPLES = 5 };

struct set {
    const char *name;
    struct noise noise;
};

/* Disturbances that machines cause in samples, each alone and all together. */
static const struct set sets[] = {
    {"even noise", {.launch = 0.01, .sample = 0.02}},
    {"drift between launches", {.launch = 0.05, .sample = 0.01}},
    {"trend over the launches", {.launch = 0.01, .sample = 0.02, .trend = 0.1}},
    {"outliers", {.launch = 0.01, .sample = 0.02, .outlier = 0.1}},
    {"two modes", {.launch = 0.005, .sample = 0.01, .mode = 0.4, .slower = 0.15}},
    {"rare second mode", {.launch = 0.002, .sample = 0.005, .mode = 0.15, .slower = 0.3}},
    {"all of it", {0.02, 0.02, 0.05, 0.1, 0.3, 0.1}},
};

static void make_medians(double *medians, size_t launches, double seconds,
                         const struct noise *noise, gsl_rng *rng)
{
    for (size_t i = 0; i < launches; i++) {
        double values[SAMPLES];
        synthetic_launch(values, SAMPLES, seconds, i, launches, noise, rng);
        medians[i] = median_of(values, SAMPLES);
    }
}

static struct comparison compare_pair(double change, const struct noise *noise, gsl_rng *rng)
{
    double a[LAUNCHES], b[LAUNCHES];
    struct comparison c;
    make_medians(a, LAUNCHES, 0.1, noise, rng);
    make_medians(b, LAUNCHES, 0.1 * (1.0 + change), noise, rng);
    assert_int_equal(compare_launches(&c, a, LAUNCHES, b, LAUNCHES, 0.02, rng), 0);
    assert_true(c.lower <= c.ratio && c.ratio <= c.upper);
    return c;
}

TEST(does_not_cry_wolf)
{
    const int pairs = long_run() ? 4000 : 200;
    int all = 0;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        int differ = 0;
        for (int pair = 0; pair < pairs; pair++) {
            enum comparison_verdict v = compare_pair(0.0, &sets[i].noise, *state).verdict;
            differ += v == COMPARISON_FASTER || v == COMPARISON_SLOWER;
        }
        print_message("%s: %.2f %% of %d equal pairs called different\n", sets[i].name,
                      100.0 * differ / pairs, pairs);
        /* 5 %, and three standard errors of this number of pairs */
        assert_true(differ <= pairs * 0.05 + 3.0 * sqrt(pairs * 0.05 * 0.95));
        all += differ;
    }
    const size_t kinds = sizeof sets / sizeof sets[0];
    double total = (double)pairs * (double)kinds;
    print_message("together: %.2f %% of %.0f\n", 100.0 * all / total, total);
    assert_true(all <= total * 0.05);
}

/* The change is five percent beyond the margin: a change within the margin does not matter and
 * counts as none. */
TEST(finds_five_percent)
{
    const double more = 1.02 * 1.05, less = 0.98 / 1.05;
    const int pairs = long_run() ? 4000 : 150;
    const struct noise noise = {.launch = 0.02, .sample = 0.02};
    int slower = 0, faster = 0, wrong = 0, covered = 0;
    for (int pair = 0; pair < pairs; pair++) {
        struct comparison up = compare_pair(more - 1.0, &noise, *state);
        struct comparison down = compare_pair(less - 1.0, &noise, *state);
        slower += up.verdict == COMPARISON_SLOWER;
        faster += down.verdict == COMPARISON_FASTER;
        wrong += up.verdict == COMPARISON_FASTER || down.verdict == COMPARISON_SLOWER;
        covered += up.lower <= more && more <= up.upper;
    }
    print_message(
        "5 %% slower found in %.1f %%, 5 %% faster in %.1f %% of %d pairs; interval covers "
        "in %.1f %%\n",
        100.0 * slower / pairs, 100.0 * faster / pairs, pairs, 100.0 * covered / pairs);
    assert_true(slower >= 0.8 * pairs && faster >= 0.8 * pairs);
    assert_int_equal(wrong, 0);
    assert_true(covered >= 0.92 * pairs);
}

/* One launch of nine that takes twice as long hides no change and causes none. */
TEST(a_bad_launch_hides_nothing)
{
    enum { NINE = 9 };
    const int pairs = long_run() ? 1000 : 60;
    const struct noise noise = {.launch = 0.01, .sample = 0.01};
    int slower = 0, differ = 0;
    for (int pair = 0; pair < pairs; pair++) {
        double a[NINE], b[NINE], same[NINE];
        struct comparison c;
        make_medians(a, NINE, 0.1, &noise, *state);
        make_medians(b, NINE, 0.105, &noise, *state);
        make_medians(same, NINE, 0.1, &noise, *state);
        a[4] *= 2.0;
        assert_int_equal(compare_launches(&c, a, NINE, b, NINE, 0.02, *state), 0);
        slower += c.verdict == COMPARISON_SLOWER;
        assert_true(c.ratio > 1.0 && c.ratio < 1.1);
        assert_int_equal(compare_launches(&c, a, NINE, same, NINE, 0.02, *state), 0);
        differ += c.verdict == COMPARISON_SLOWER || c.verdict == COMPARISON_FASTER;
    }
    print_message("one bad launch of nine: 5 %% slower found in %.1f %%, %.1f %% of equal pairs "
                  "called different\n",
                  100.0 * slower / pairs, 100.0 * differ / pairs);
    assert_true(slower >= 0.9 * pairs);
    assert_true(differ <= 0.1 * pairs);
}

/* Launches have two modes; seven of eighteen are in the slower one. Ranks over all launches miss a
 * shift of 8 %, because every launch of one mode exceeds every launch of the other in any case. */
TEST(a_second_mode_hides_nothing)
{
    enum { NINE = 9 };
    static const bool slow_a[NINE] = {0, 1, 0, 0, 1, 0, 1, 1, 0},
                      slow_b[NINE] = {0, 0, 1, 0, 0, 0, 1, 0, 1};
    double a[NINE], b[NINE];
    struct comparison c;
    for (size_t i = 0; i < NINE; i++) {
        a[i] = (slow_a[i] ? 1.3 : 1.0) * (1.0 + 0.001 * (double)i);
        b[i] = (slow_b[i] ? 1.3 : 1.0) * (1.0005 + 0.001 * (double)i);
    }
    assert_int_equal(compare_launches(&c, a, NINE, b, NINE, 0.02, *state), 0);
    assert_true(c.p_slower > 0.1 && c.p_faster > 0.1);
    for (size_t i = 0; i < NINE; i++)
        b[i] *= 1.08;
    assert_int_equal(compare_launches(&c, a, NINE, b, NINE, 0.02, *state), 0);
    assert_true(c.p_slower < 0.001);
    assert_int_equal(c.verdict, COMPARISON_SLOWER);
    assert_int_equal(compare_launches(&c, b, NINE, a, NINE, 0.02, *state), 0);
    assert_true(c.p_faster < 0.001);
    assert_int_equal(c.verdict, COMPARISON_FASTER);
    /* seven per side are too few to examine the modes separately */
    assert_int_equal(compare_launches(&c, b, 7, a, 7, 0.02, *state), 0);
    assert_true(c.p_faster > 0.05);
}

enum { NINE_EACH = 9 };

/* Launches with 0.1 % noise; the first `slow_a` of A and `slow_b` of B take 30 % longer. */
static struct comparison compare_modes(size_t slow_a, size_t slow_b, double margin, gsl_rng *rng)
{
    double a[NINE_EACH], b[NINE_EACH];
    struct comparison c;
    for (size_t i = 0; i < NINE_EACH; i++) {
        a[i] = (i < slow_a ? 1.3 : 1.0) * (1.0 + gsl_ran_gaussian(rng, 0.001));
        b[i] = (i < slow_b ? 1.3 : 1.0) * (1.0 + gsl_ran_gaussian(rng, 0.001));
    }
    assert_int_equal(compare_launches(&c, a, NINE_EACH, b, NINE_EACH, margin, rng), 0);
    return c;
}

/* The sides differ only in how likely the slow mode is: the modes show no shift, and yet the sides
 * are not the same. */
TEST(a_likelier_slow_mode_is_not_the_same)
{
    for (int draw = 0; draw < 20; draw++) {
        struct comparison c = compare_modes(1, 5, 0.02, *state);
        assert_int_equal(c.verdict, COMPARISON_UNDECIDED);
        assert_true(c.upper > 1.2);
        c = compare_modes(2, 6, 0.02, *state);
        assert_int_equal(c.verdict, COMPARISON_UNDECIDED);
        assert_true(c.lower < 1.01 && c.upper > 1.29);
    }
}

/* Launches of either side are slow with probability 1/2. */
TEST(the_interval_covers_two_modes)
{
    const int pairs = long_run() ? 2000 : 200;
    int outside = 0;
    for (int pair = 0; pair < pairs; pair++) {
        const unsigned slow_a = gsl_ran_binomial(*state, 0.5, NINE_EACH),
                       slow_b = gsl_ran_binomial(*state, 0.5, NINE_EACH);
        const struct comparison c = compare_modes(slow_a, slow_b, 0.02, *state);
        outside += c.lower > 1.0 || c.upper < 1.0;
        assert_true((c.lower <= 1.0 && 1.0 <= c.upper) || c.p_value <= 0.05);
    }
    print_message("two modes: 1 lies outside the interval in %.1f %% of %d equal pairs\n",
                  100.0 * outside / pairs, pairs);
    assert_true(outside <= pairs * 0.05 + 3.0 * sqrt(pairs * 0.05 * 0.95));
}

/* An interval within the margin does not suffice if a test finds a difference beyond it. */
TEST(what_a_test_contradicts_is_not_the_same)
{
    struct comparison c = {.lower = 0.99, .upper = 1.01, .p_slower = 0.03, .p_faster = 0.9};
    comparison_decide(&c, 0.02);
    assert_int_equal(c.verdict, COMPARISON_SAME);
    c.p_slower = 0.02;
    comparison_decide(&c, 0.02);
    assert_int_equal(c.verdict, COMPARISON_UNDECIDED);
    c.upper = 1.03;
    comparison_decide(&c, 0.02);
    assert_int_equal(c.verdict, COMPARISON_SLOWER);
}

/* No split is as extreme as the one that separates the two sides. Few launches can just show this
 * one, so that examining the modes separately must not use up their significance. */
TEST(separate_sides_are_the_rarest)
{
    static const size_t sides[][2] = {{4, 4}, {5, 5}, {6, 6}, {7, 7},
                                      {8, 8}, {9, 9}, {6, 9}, {9, 7}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        double a[9], b[9];
        struct comparison c;
        for (size_t j = 0; j < 9; j++) {
            a[j] = 1.0 + 0.001 * (double)j;
            b[j] = 2.0 + 0.001 * (double)j;
        }
        assert_int_equal(compare_launches(&c, a, sides[i][0], b, sides[i][1], 0.02, *state), 0);
        assert_true(fabs(c.p_slower * splits_ways(sides[i][0], sides[i][1]) - 1.0) < 1e-9);
        assert_true(c.p_slower == c.least_p);
    }
}

TEST(known_answers)
{
    struct comparison c;
    const double a[] = {1.00, 1.01, 0.99, 1.02}, same[] = {1.001, 1.012, 0.991, 1.018};
    const double twice[] = {2.00, 2.02, 1.98, 2.04};
    compare_launches(&c, a, 4, twice, 4, 0.02, *state);
    assert_int_equal(c.verdict, COMPARISON_SLOWER);
    assert_true(fabs(c.ratio - 2.0) < 1e-12);
    assert_true(fabs(c.p_value - 2.0 / 70.0) < 1e-12); /* both extreme splits of 8 over 4 */
    compare_launches(&c, twice, 4, a, 4, 0.02, *state);
    assert_int_equal(c.verdict, COMPARISON_FASTER);
    compare_launches(&c, a, 4, same, 4, 0.05, *state);
    assert_int_equal(c.verdict, COMPARISON_SAME);
    compare_launches(&c, a, 4, same, 4, 0.001, *state);
    assert_int_equal(c.verdict, COMPARISON_UNDECIDED);
    /* a difference that is certain but smaller than the margin counts as none */
    const double little[] = {1.0, 1.0001, 0.9999, 1.0}, more[] = {1.01, 1.0101, 1.0099, 1.01};
    compare_launches(&c, little, 4, more, 4, 0.02, *state);
    assert_int_equal(c.verdict, COMPARISON_SAME);
    assert_true(c.p_value < 0.05);
}

/* Twenty points of equal builds, except that one differs by chance and one really changed. Alone,
 * both would be called slower; together, only the one whose launches are all slower. */
TEST(many_points_are_decided_together)
{
    enum { POINTS = 20, EACH = 9 };
    struct comparison all[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        double a[EACH], b[EACH];
        for (size_t j = 0; j < EACH; j++) {
            a[j] = 1.0 + 0.01 * (double)j;
            b[j] = a[j] * (i == 7 ? 1.5 : i == 3 ? 1.062 : 1.0);
        }
        assert_int_equal(compare_launches(&all[i], a, EACH, b, EACH, 0.02, *state), 0);
    }
    assert_int_equal(all[3].verdict, COMPARISON_SLOWER);
    assert_int_equal(all[7].verdict, COMPARISON_SLOWER);
    assert_true(all[3].p_slower > all[7].p_slower && all[7].p_slower == all[7].least_p);
    assert_int_equal(compare_together(all, POINTS), 0);
    assert_int_equal(all[3].verdict, COMPARISON_UNDECIDED);
    assert_int_equal(all[7].verdict, COMPARISON_SLOWER);
    assert_int_equal(comparison_launches_needed(1), 4); /* 2/70, and 2/C(2n, n) <= 0.05/points */
    assert_int_equal(comparison_launches_needed(300), 8);
}

/* A change of the size that is reported as detectable is detected. */
TEST_WITH(what_is_detectable_is_detected, open_generator, close_generator)
{
    enum { NINE = 9, AMONG = 10 };
    const int pairs = long_run() ? 400 : 30;
    const struct noise noise = {.launch = 0.02, .sample = 0.01};
    int found = 0;
    for (int i = 0; i < pairs; i++) {
        double a[NINE], b[NINE];
        struct comparison c;
        make_medians(a, NINE, 0.1, &noise, *state);
        make_medians(b, NINE, 0.1, &noise, *state);
        assert_int_equal(compare_launches(&c, a, NINE, b, NINE, 0.02, *state), 0);
        const double change = comparison_detectable(&c, 0.02, AMONG);
        make_medians(b, NINE, 0.1 * change, &noise, *state);
        assert_int_equal(compare_launches(&c, a, NINE, b, NINE, 0.02, *state), 0);
        found += 2.0 * c.p_slower <= 0.05 / AMONG;
    }
    print_message("detectable changes found in %.0f %% of %d\n", 100.0 * found / pairs, pairs);
    assert_true(found >= 0.8 * pairs); /* the width of the interval is an estimate itself */
}

TEST(few_launches_are_undecided)
{
    struct comparison c;
    const double a[] = {1.00, 1.01, 0.99}, b[] = {2.00, 2.02, 1.98, 2.04, 2.01};
    for (size_t n = 0; n <= 3; n++) {
        compare_launches(&c, a, n, b, 3, 0.02, *state);
        assert_int_equal(c.verdict, COMPARISON_UNDECIDED);
        assert_true(c.upper > 1e9 || isinf(c.upper));
        assert_int_equal(comparison_possible(n, 3), 0);
    }
    compare_launches(&c, a, 3, b, 5, 0.02, *state);
    assert_int_equal(c.verdict, COMPARISON_SLOWER);
}

TEST(equal_and_exact_launches)
{
    struct comparison c;
    const double a[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    compare_launches(&c, a, 6, a, 6, 0.02, *state);
    assert_int_equal(c.verdict, COMPARISON_SAME);
    assert_true(c.p_value == 1.0);
}

/* If there are more than 20,000 ways to assign the launches, random ones decide. */
TEST(many_launches)
{
    enum { MANY = 40 };
    const struct noise noise = {.launch = 0.02, .sample = 0.02};
    double a[MANY], b[MANY];
    struct comparison c;
    make_medians(a, MANY, 1.0, &noise, *state);
    make_medians(b, MANY, 1.05, &noise, *state);
    compare_launches(&c, a, MANY, b, MANY, 0.01, *state);
    assert_int_equal(c.verdict, COMPARISON_SLOWER);
    assert_true(c.upper - c.lower < 0.04);
}

/* Two builds compared layout by layout: counts of signs, and the interval by rank. */
TEST(layouts_have_signs)
{
    struct comparison c;
    double eight[] = {1.06, 1.04, 1.05, 1.03, 1.09, 1.07, 0.50, 1.08};
    compare_paired(&c, eight, 8, 0.02);
    assert_true(fabs(c.p_slower - 9.0 / 256.0) < 1e-12); /* seven of eight, or all eight */
    assert_true(fabs(c.p_faster - 255.0 / 256.0) < 1e-12);
    assert_true(fabs(c.p_value - 18.0 / 256.0) < 1e-12);
    assert_true(fabs(c.least_p - 1.0 / 256.0) < 1e-12);
    assert_true(fabs(c.ratio - 1.055) < 1e-12);
    assert_true(c.lower == 0.50 && c.upper == 1.09);
    assert_int_equal(c.verdict, COMPARISON_UNDECIDED);
    eight[0] = 1.01; /* sorted by now: the bad layout becomes as good as the others */
    compare_paired(&c, eight, 8, 0.005);
    assert_int_equal(c.verdict, COMPARISON_SLOWER);
    compare_paired(&c, eight, 8, 0.02); /* 1.01 is within the margin */
    assert_true(fabs(c.p_slower - 9.0 / 256.0) < 1e-12);
    compare_paired(&c, eight, 8, 0.10);
    assert_int_equal(c.verdict, COMPARISON_SAME);
    double faster[] = {0.90, 0.91, 0.92, 0.90, 0.91, 0.92};
    compare_paired(&c, faster, 6, 0.02);
    assert_int_equal(c.verdict, COMPARISON_FASTER);
    compare_paired(&c, faster, 5, 0.02);
    assert_int_equal(c.verdict, COMPARISON_UNDECIDED);
    assert_true(c.lower == 0.0 && isinf(c.upper));
}

/* The number of layouts that is reported as needed reveals a change of one point among all points
 * of a study, and one layout less does not. */
TEST(layouts_needed_are_enough)
{
    enum { MOST = 315 };
    static const size_t counts[] = {1, 10, MOST};
    double ratios[32];
    struct comparison all[MOST];
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t less = 0; less < 2; less++) {
            const size_t layouts = paired_layouts_needed(counts[i]) - less;
            for (size_t j = 0; j < counts[i]; j++) {
                for (size_t k = 0; k < layouts; k++)
                    ratios[k] = j == 0 ? 1.1 : k % 2 == 0 ? 0.9 : 1.1;
                compare_paired(&all[j], ratios, layouts, 0.02);
            }
            assert_int_equal(compare_together(all, counts[i]), 0);
            assert_int_equal(all[0].verdict, less == 0 ? COMPARISON_SLOWER : COMPARISON_UNDECIDED);
        }
}

/* Statistics from the table equal those that are counted: doubled ranks are not in the table, so
 * that their splits are counted one by one. */
TEST(splits_are_looked_up_as_they_are_counted)
{
    static const size_t sides[][2] = {{4, 4}, {5, 7}, {9, 6}, {2, 9}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const size_t all = sides[i][0] + sides[i][1];
        struct splits s;
        assert_int_equal(splits_open(&s, sides[i][0], sides[i][1], *state), 0);
        for (int draw = 0; draw < 30; draw++) {
            double ranks[16], twice[16];
            for (size_t j = 0; j < all; j++)
                ranks[j] = (double)(j + 1);
            gsl_ran_shuffle(*state, ranks, all, sizeof *ranks);
            for (size_t j = 0; j < all; j++)
                twice[j] = 2.0 * ranks[j];
            for (enum side side = EITHER; side <= BELOW; side++)
                for (enum statistic by = OF_ALL; by < STATISTICS; by++)
                    assert_true(splits_p(&s, ranks, by, side) == splits_p(&s, twice, by, side));
        }
    }
}

/* ---- sessions -------------------------------------------------------------------------------- */

enum { POINTS = 12, EACH = 9 };

/* The first `moved` points take `change` times as long in B, all other points `session` times,
 * including the anchors, which come last. */
struct sessions {
    double times[POINTS][2 * EACH];
    struct session_point points[POINTS];
    struct comparison results[POINTS];
    struct session_shift shift;
};

static void compare_made_sessions(struct sessions *s, size_t points, size_t anchors, size_t moved,
                                  double change, double session, gsl_rng *rng)
{
    for (size_t i = 0; i < points; i++) {
        const double factor = i < moved ? change : session;
        for (size_t j = 0; j < 2 * EACH; j++)
            s->times[i][j] = (double)(i + 1) * (j < EACH ? 1.0 : factor) *
                             (1.0 + 0.002 * (double)((7 * j + 3 * i) % 11) + 1e-6 * (double)j);
        s->points[i] = (struct session_point){.medians = s->times[i],
                                              .count_a = EACH,
                                              .count_b = EACH,
                                              .anchor = i + anchors >= points};
    }
    assert_int_equal(compare_sessions(&s->shift, s->results, s->points, points, 0.02, rng), 0);
}

static size_t count_slower(const struct sessions *s, size_t points)
{
    size_t slower = 0;
    for (size_t i = 0; i < points; i++)
        slower += s->results[i].verdict == COMPARISON_SLOWER;
    return slower;
}

TEST(sessions_are_distinguished_from_builds)
{
    struct sessions s;
    /* all of B takes 10 % longer: the session's doing if other libraries slow down too */
    compare_made_sessions(&s, POINTS, 2, 0, 1.0, 1.1, *state);
    assert_int_equal(s.shift.source, SESSION_ANCHORS);
    assert_int_equal(s.shift.points, 2);
    assert_true(s.shift.moved > 1.09 && s.shift.reach > s.shift.moved && s.shift.reach < 1.13);
    assert_int_equal(count_slower(&s, POINTS), 0);
    /* the build's doing if they do not */
    compare_made_sessions(&s, POINTS, 2, POINTS - 2, 1.1, 1.0, *state);
    assert_true(s.shift.reach < 1.03);
    assert_int_equal(count_slower(&s, POINTS), POINTS - 2);
    /* without anchors nothing shows which */
    compare_made_sessions(&s, POINTS, 0, POINTS, 1.1, 1.0, *state);
    assert_int_equal(s.shift.source, SESSION_POINTS);
    assert_true(fabs(s.shift.moved - 1.1) < 0.01 && s.shift.withheld == 0);
    assert_int_equal(count_slower(&s, POINTS), 0);
    /* three of many change: these three are the build's */
    compare_made_sessions(&s, POINTS, 0, 3, 1.15, 1.02, *state);
    assert_int_equal(count_slower(&s, POINTS), 3);
    /* with few points no change is attributed to the build */
    compare_made_sessions(&s, SESSION_FEWEST_POINTS - 1, 0, 1, 1.5, 1.0, *state);
    assert_int_equal(s.shift.source, SESSION_UNKNOWN);
    assert_int_equal(s.shift.withheld, 1);
    assert_int_equal(count_slower(&s, SESSION_FEWEST_POINTS - 1), 0);
}

/* ---- duets of commands ----------------------------------------------------------------------- */

enum { ROUNDS = 36, DUETS = 1000, BENCHMARKS = 3 };

/* Rounds of three launches each, of which B takes `effect` times as long: with an outlier now and
 * then, two modes, and a speed of the machine that changes from round to round. */
static void draw_rounds(double seconds[PAIR_ARMS][ROUNDS], double effect, gsl_rng *rng)
{
    for (size_t i = 0; i < ROUNDS; i++) {
        const double machine = exp(gsl_ran_gaussian(rng, 0.1));
        for (int arm = 0; arm < PAIR_ARMS; arm++) {
            const double tail = gsl_rng_uniform(rng) < 0.1 ? 1.0 + 4.0 * gsl_rng_uniform(rng) : 1.0,
                         mode = gsl_rng_uniform(rng) < 0.3 ? 1.1 : 1.0;
            seconds[arm][i] = machine * tail * mode * exp(gsl_ran_gaussian(rng, 0.01)) *
                              (arm == PAIR_B ? effect : 1.0);
        }
    }
}

static void decide_duet(struct pair_result *results, size_t count, double effect, double margin,
                        gsl_rng *rng)
{
    double seconds[BENCHMARKS][PAIR_ARMS][ROUNDS];
    struct launch_pairs pairs[BENCHMARKS];
    for (size_t i = 0; i < count; i++) {
        draw_rounds(seconds[i], effect, rng);
        pairs[i] =
            (struct launch_pairs){{seconds[i][0], seconds[i][1], seconds[i][2]}, .rounds = ROUNDS};
    }
    assert_int_equal(launch_pairs_decide(results, pairs, count, margin), 0);
}

/* A count of DUETS is what its probability says: within 3.5 standard deviations. */
static void is_binomial(const char *what, int count, double probability)
{
    const double deviation = sqrt(DUETS * probability * (1.0 - probability));
    print_message("%s: %d of %d duets, %.1f expected\n", what, count, DUETS, DUETS * probability);
    assert_true(fabs(count - DUETS * probability) <= 3.5 * deviation);
}

/* The two-sided probability of the sign test at its level, and the one that the interval by rank
 * misses the median: both exact, whatever the distribution of times. */
static double sign_test_level(void)
{
    unsigned least = ROUNDS / 2;
    while (2.0 * gsl_cdf_binomial_Q(least - 1, 0.5, ROUNDS) > 0.05)
        least++;
    return 2.0 * gsl_cdf_binomial_Q(least - 1, 0.5, ROUNDS);
}

static double interval_misses(void)
{
    size_t lower, upper;
    assert_int_equal(median_interval_ranks(ROUNDS, 0.95, &lower, &upper), 0);
    return 2.0 * gsl_cdf_binomial_P((unsigned)lower - 1, 0.5, ROUNDS);
}

/* Without a margin, so that the rates are those of the test itself. */
TEST(duets_have_their_rates)
{
    int called = 0, said = 0, again = 0, covered = 0;
    for (int i = 0; i < DUETS; i++) {
        struct pair_result r;
        decide_duet(&r, 1, 1.0, 0.0, *state);
        called += r.b.verdict == COMPARISON_SLOWER || r.b.verdict == COMPARISON_FASTER;
        said += r.verdict == PAIR_SLOWER || r.verdict == PAIR_FASTER;
        again += r.verdict == PAIR_SUSPECT;
        decide_duet(&r, 1, 1.1, 0.0, *state);
        covered += r.b.lower <= 1.1 && 1.1 <= r.b.upper;
    }
    is_binomial("equal commands called different", called, sign_test_level());
    is_binomial("the A/A arm differs", again, sign_test_level());
    is_binomial("the interval covers 10 %", covered, 1.0 - interval_misses());
    assert_true(said <= called);
}

TEST(duets_are_corrected)
{
    int wrong = 0, found = 0, other = 0;
    for (int i = 0; i < DUETS; i++) {
        struct pair_result all[BENCHMARKS];
        bool any = false;
        decide_duet(all, BENCHMARKS, 1.0, 0.0, *state);
        for (int j = 0; j < BENCHMARKS; j++)
            any |= all[j].verdict == PAIR_SLOWER || all[j].verdict == PAIR_FASTER;
        wrong += any;
        decide_duet(all, BENCHMARKS, 1.3, 0.02, *state);
        found += all[0].verdict == PAIR_SLOWER;
        other += all[0].verdict == PAIR_FASTER;
    }
    print_message("%d of %d duets of three equal benchmarks call one different; 30 %% is found in "
                  "%d\n",
                  wrong, DUETS, found);
    assert_true(wrong <= DUETS * 0.05 + 3.5 * sqrt(DUETS * 0.05 * 0.95));
    assert_true(found >= 0.95 * DUETS && other == 0);
}

/* Rounds without one of the launches count for what they have; Holm is not Benjamini and Hochberg.
 */
TEST(duets_with_gaps)
{
    double a[8] = {1, 1, 1, 1, 1, 1, 1, NAN}, b[8] = {2, 2, 2, 2, 2, 2, 2, 2},
           again[8] = {1, 1, 1, 1, 1, 1, NAN, 1};
    const struct launch_pairs pairs = {{a, b, again}, .rounds = 8}, few = {{a, b, again}, 5};
    struct pair_result r;
    assert_int_equal(launch_pairs_decide(&r, &pairs, 1, 0.02), 0);
    assert_true(r.rounds == 7 && r.verdict == PAIR_SLOWER && r.b.ratio == 2.0);
    assert_int_equal(launch_pairs_decide(&r, &few, 1, 0.02), 0);
    assert_int_equal(r.verdict, PAIR_UNDECIDED);
    assert_int_equal(launch_pairs_decide(&r, &(struct launch_pairs){{a, a, b}, 8}, 1, 0.02), 0);
    assert_int_equal(r.verdict, PAIR_SUSPECT);
    struct comparison two[2];
    for (int i = 0; i < 2; i++)
        two[i] =
            (struct comparison){.p_slower = 0.02, .p_faster = 1.0, .verdict = COMPARISON_SLOWER};
    assert_int_equal(compare_together(two, 2), 0);
    assert_int_equal(two[0].verdict, COMPARISON_SLOWER); /* 0.04 is below 0.05 x 2 / 2 */
    assert_int_equal(compare_all_of(two, 2), 0);
    assert_int_equal(two[0].verdict, COMPARISON_UNDECIDED); /* and above 0.05 / 2 */
}

const struct tests_group tests_group = {open_generator, close_generator};
