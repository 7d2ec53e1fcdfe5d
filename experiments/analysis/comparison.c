#include "experiments/analysis/comparison.h"

#include "harness/base/statistics.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST_SPLITS = 20000, RANDOM_SPLITS = 9999, MOST_EXACT = 30 };
static const double significance = 0.05;

const char *const comparison_names[] = {"SAME", "FASTER", "SLOWER", "UNDECIDED"};

/* The ways of dealing all launches to two sides: `member` holds count_a indices per split. */
struct splits {
    size_t count, count_a, count_all;
    uint16_t *member;
};

static double ways(size_t count_a, size_t count_b)
{
    if (count_a == 0 || count_b == 0)
        return 0.0;
    return gsl_sf_choose((unsigned)(count_a + count_b), (unsigned)count_a);
}

int comparison_possible(size_t launches_a, size_t launches_b)
{
    if (launches_a + launches_b > MOST_EXACT)
        return launches_a > 1 && launches_b > 1;
    return launches_a > 1 && launches_b > 1 && ways(launches_a, launches_b) >= 40.0;
}

/* Every subset of size count_a, in lexicographic order. */
static void enumerate_splits(struct splits *s)
{
    uint16_t at[MOST_EXACT] = {0};
    for (size_t i = 0; i < s->count_a; i++)
        at[i] = (uint16_t)i;
    for (size_t row = 0; row < s->count; row++) {
        for (size_t i = 0; i < s->count_a; i++)
            s->member[row * s->count_a + i] = at[i];
        size_t i = s->count_a;
        while (i > 0 && at[i - 1] == s->count_all - s->count_a + i - 1)
            i--;
        if (i == 0)
            return;
        at[i - 1]++;
        for (; i < s->count_a; i++)
            at[i] = (uint16_t)(at[i - 1] + 1);
    }
}

/* The observed split first, then random ones: with it counted, the rate stays exact. */
static int draw_splits(struct splits *s, gsl_rng *dice)
{
    uint16_t *all = calloc(s->count_all, sizeof *all);
    if (!all)
        return -1;
    for (size_t i = 0; i < s->count_all; i++)
        all[i] = (uint16_t)i;
    for (size_t row = 0; row < s->count; row++)
        if (row == 0)
            for (size_t i = 0; i < s->count_a; i++)
                s->member[i] = all[i];
        else
            gsl_ran_choose(dice, s->member + row * s->count_a, s->count_a, all, s->count_all,
                           sizeof *all);
    free(all);
    return 0;
}

static int splits_open(struct splits *s, size_t count_a, size_t count_b, gsl_rng *dice)
{
    bool exact = count_a + count_b <= MOST_EXACT && ways(count_a, count_b) <= MOST_SPLITS;
    *s = (struct splits){.count =
                             exact ? (size_t)llround(ways(count_a, count_b)) : RANDOM_SPLITS + 1,
                         .count_a = count_a,
                         .count_all = count_a + count_b};
    s->member = malloc(s->count * count_a * sizeof *s->member);
    if (!s->member)
        return -1;
    if (!exact)
        return draw_splits(s, dice);
    enumerate_splits(s);
    return 0;
}

/* Welch's statistic of the side that holds these sums against the rest. */
static double welch(double sum_a, double squares_a, double n, double sum, double squares,
                    double all)
{
    double m = all - n;
    double mean_a = sum_a / n, mean_b = (sum - sum_a) / m;
    double variance_a = fmax(0.0, squares_a - n * mean_a * mean_a) / (n - 1.0);
    double variance_b = fmax(0.0, squares - squares_a - m * mean_b * mean_b) / (m - 1.0);
    /* The small term keeps equal launches comparable: a clock resolves no such difference. */
    return (mean_b - mean_a) / sqrt(variance_a / n + variance_b / m + 1e-20);
}

/* Places in ascending order, from 1; equal values share the mean of theirs. */
static void rank_values(const double *values, size_t count, double *ranks)
{
    for (size_t i = 0; i < count; i++) {
        size_t less = 0, equal = 0;
        for (size_t j = 0; j < count; j++) {
            less += values[j] < values[i];
            equal += values[j] == values[i];
        }
        ranks[i] = (double)less + 0.5 * ((double)equal + 1.0);
    }
}

/* Share of the splits whose statistic is at least as large as that of the observed one, once
 * `shift` is taken off the logarithms of B. `scratch` holds twice as many. */
static double p_of_shift(const struct splits *s, const double *logs, double shift, double *scratch)
{
    double sum = 0.0, squares = 0.0, sum_a = 0.0, squares_a = 0.0;
    double n = (double)s->count_a, all = (double)s->count_all;
    double *shifted = scratch, *ranks = scratch + s->count_all;
    for (size_t i = 0; i < s->count_all; i++)
        shifted[i] = logs[i] - (i < s->count_a ? 0.0 : shift);
    rank_values(shifted, s->count_all, ranks);
    for (size_t i = 0; i < s->count_all; i++) {
        sum += ranks[i];
        squares += ranks[i] * ranks[i];
        if (i < s->count_a) {
            sum_a = sum;
            squares_a = squares;
        }
    }
    double observed = fabs(welch(sum_a, squares_a, n, sum, squares, all));
    size_t extreme = 0;
    for (size_t row = 0; row < s->count; row++) {
        sum_a = squares_a = 0.0;
        for (size_t i = 0; i < s->count_a; i++) {
            double x = ranks[s->member[row * s->count_a + i]];
            sum_a += x;
            squares_a += x * x;
        }
        double t = fabs(welch(sum_a, squares_a, n, sum, squares, all));
        extreme += t >= observed * (1.0 - 1e-9);
    }
    return (double)extreme / (double)s->count;
}

/* Farthest shift from the centre, in direction +1 or -1, that the test does not reject. */
static double bound(const struct splits *s, const double *logs, double centre, double step,
                    double *scratch)
{
    enum { DOUBLINGS = 12, HALVINGS = 20 };
    double inside = centre, outside = centre + step;
    int doublings = 0;
    while (p_of_shift(s, logs, outside, scratch) > significance) {
        if (++doublings > DOUBLINGS)
            return step > 0 ? INFINITY : -INFINITY;
        inside = outside;
        step *= 2.0;
        outside = centre + step;
    }
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (inside + outside);
        if (p_of_shift(s, logs, middle, scratch) > significance)
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

/* The median of the differences between every launch of B and every one of A: the shift that their
 * ranks agree on. NaN where memory lacks. Source: Hodges & Lehmann (1963), Annals of Mathematical
 * Statistics 34, 598-611. */
static double find_centre(const double *logs, size_t count_a, size_t count_b)
{
    double *differences = malloc(count_a * count_b * sizeof *differences);
    double centre = NAN;
    for (size_t i = 0; differences && i < count_a; i++)
        for (size_t j = 0; j < count_b; j++)
            differences[i * count_b + j] = logs[count_a + j] - logs[i];
    if (differences)
        centre = median_of(differences, count_a * count_b);
    free(differences);
    return centre;
}

/* About a standard error of the difference, so that few doublings reach the bound. */
static double first_step(const double *logs, size_t count_a, size_t count_b)
{
    double variance = gsl_stats_variance(logs, 1, count_a) / (double)count_a +
                      gsl_stats_variance(logs + count_a, 1, count_b) / (double)count_b;
    return fmax(1e-9, sqrt(variance));
}

static enum comparison_verdict judge(const struct comparison *c, double margin)
{
    if (c->lower >= 1.0 - margin && c->upper <= 1.0 + margin)
        return COMPARISON_SAME;
    if (c->p_value <= significance)
        return c->ratio < 1.0 ? COMPARISON_FASTER : COMPARISON_SLOWER;
    return COMPARISON_UNDECIDED;
}

static int test_difference(struct comparison *c, const double *logs, double *scratch, double centre,
                           double margin, gsl_rng *dice)
{
    struct splits s;
    int result = splits_open(&s, c->launches_a, c->launches_b, dice);
    if (result == 0) {
        double step = first_step(logs, c->launches_a, c->launches_b);
        c->p_value = p_of_shift(&s, logs, 0.0, scratch);
        c->lower = exp(bound(&s, logs, centre, -step, scratch));
        c->upper = exp(bound(&s, logs, centre, step, scratch));
        c->verdict = judge(c, margin);
    }
    free(s.member);
    return result;
}

int compare_launches(struct comparison *c, const double *a, size_t count_a, const double *b,
                     size_t count_b, double margin, gsl_rng *dice)
{
    *c = (struct comparison){.ratio = NAN,
                             .lower = 0.0,
                             .upper = INFINITY,
                             .p_value = 1.0,
                             .launches_a = count_a,
                             .launches_b = count_b,
                             .verdict = COMPARISON_UNDECIDED};
    if (count_a == 0 || count_b == 0)
        return 0;
    size_t all = count_a + count_b;
    double *logs = calloc(3 * all, sizeof *logs); /* and twice as much scratch behind them */
    if (!logs)
        return -1;
    for (size_t i = 0; i < all; i++)
        logs[i] = log(i < count_a ? a[i] : b[i - count_a]) - log(a[0]);
    const double centre = find_centre(logs, count_a, count_b);
    c->ratio = exp(centre);
    int result = isnan(centre) ? -1 : 0;
    if (result == 0 && comparison_possible(count_a, count_b))
        result = test_difference(c, logs, logs + all, centre, margin, dice);
    free(logs);
    return result;
}
