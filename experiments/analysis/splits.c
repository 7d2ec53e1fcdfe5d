#include "experiments/analysis/splits.h"

#include "harness/base/statistics.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Nine launches and nine are dealt in 48,620 ways. */
enum { MOST_SPLITS = 50000, RANDOM_SPLITS = 9999 };

double splits_ways(size_t count_a, size_t count_b)
{
    if (count_a == 0 || count_b == 0)
        return 0.0;
    return gsl_sf_choose((unsigned)(count_a + count_b), (unsigned)count_a);
}

/* ---- the splits ------------------------------------------------------------------------------ */

/* Every subset of size count_a, in lexicographic order. */
static void enumerate_splits(struct splits *s)
{
    uint16_t at[SPLITS_MOST_EXACT] = {0};
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
static int draw_splits(struct splits *s)
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
            gsl_ran_choose(s->dice, s->member + row * s->count_a, s->count_a, all, s->count_all,
                           sizeof *all);
    free(all);
    return 0;
}

/* Makes the members where they are not there yet. */
static bool have_members(struct splits *s, bool random)
{
    if (s->member)
        return true;
    s->member = malloc(s->count * s->count_a * sizeof *s->member);
    if (!s->member)
        return false;
    if (random)
        return draw_splits(s) == 0;
    enumerate_splits(s);
    return true;
}

/* ---- their statistics ------------------------------------------------------------------------ */

/* Sums over all launches. */
struct sums {
    double n, all, sum, squares;
};

/* Welch's statistic of the side that holds these sums against the rest. */
static double welch(const struct sums *s, double sum_a, double squares_a)
{
    const double n = s->n, m = s->all - n;
    const double mean_a = sum_a / n, mean_b = (s->sum - sum_a) / m;
    const double variance_a = fmax(0.0, squares_a - n * mean_a * mean_a) / (n - 1.0);
    const double variance_b = fmax(0.0, s->squares - squares_a - m * mean_b * mean_b) / (m - 1.0);
    /* The small term keeps equal launches comparable: a clock resolves no such difference. */
    return (mean_b - mean_a) / sqrt(variance_a / n + variance_b / m + 1e-20);
}

static struct sums sum_up(const struct splits *s, const double *ranks)
{
    struct sums sums = {.n = (double)s->count_a, .all = (double)s->count_all};
    for (size_t i = 0; i < s->count_all; i++) {
        sums.sum += ranks[i];
        sums.squares += ranks[i] * ranks[i];
    }
    return sums;
}

static double statistic_of(const struct splits *s, const struct sums *sums, const double *ranks,
                           const uint16_t *member)
{
    double sum_a = 0.0, squares_a = 0.0;
    for (size_t i = 0; i < s->count_a; i++) {
        const double x = ranks[member ? member[i] : i];
        sum_a += x;
        squares_a += x * x;
    }
    return welch(sums, sum_a, squares_a);
}

/* The larger, the farther the statistic lies on the side. */
static double distance(double statistic, enum side side)
{
    return side == EITHER ? fabs(statistic) : side == ABOVE ? statistic : -statistic;
}

/* How far a split must lie to be as far as the observed one. */
static double threshold(double observed, enum side side)
{
    const double far = distance(observed, side);
    return far - 1e-9 * fabs(far);
}

/* ---- statistics of distinct values ----------------------------------------------------------- */

/* One list for each pair of counts that was asked for; kept until the program ends. */
static double *lists[SPLITS_MOST_EXACT + 1][SPLITS_MOST_EXACT + 1];

static double *make_list(struct splits *s)
{
    double ranks[SPLITS_MOST_EXACT];
    double *list = malloc(s->count * sizeof *list);
    if (!list || !have_members(s, false)) {
        free(list);
        return NULL;
    }
    for (size_t i = 0; i < s->count_all; i++)
        ranks[i] = (double)(i + 1);
    const struct sums sums = sum_up(s, ranks);
    for (size_t row = 0; row < s->count; row++)
        list[row] = statistic_of(s, &sums, ranks, s->member + row * s->count_a);
    sort_samples(list, s->count);
    return list;
}

/* How many of the ascending numbers are at least x. */
static size_t count_from(const double *sorted, size_t count, double x)
{
    size_t below = 0, end = count;
    while (below < end) {
        const size_t middle = below + (end - below) / 2;
        if (sorted[middle] >= x)
            end = middle;
        else
            below = middle + 1;
    }
    return count - below;
}

/* How many are at most x. */
static size_t count_to(const double *sorted, size_t count, double x)
{
    return count - count_from(sorted, count, nextafter(x, INFINITY));
}

static size_t look_up(const struct splits *s, double observed, enum side side)
{
    const double far = threshold(observed, side);
    if (side == ABOVE)
        return count_from(s->sorted, s->count, far);
    if (side == BELOW)
        return count_to(s->sorted, s->count, -far);
    return far <= 0.0 ? s->count
                      : count_from(s->sorted, s->count, far) + count_to(s->sorted, s->count, -far);
}

/* Ranks of distinct values are 1, 2, 3, ... in some order; shared ones have fewer squares. */
static bool are_distinct(const struct sums *sums)
{
    return sums->squares == sums->all * (sums->all + 1.0) * (2.0 * sums->all + 1.0) / 6.0;
}

/* ---- from outside ---------------------------------------------------------------------------- */

int splits_open(struct splits *s, size_t count_a, size_t count_b, gsl_rng *dice)
{
    const bool exact = count_a + count_b <= SPLITS_MOST_EXACT &&
                       splits_ways(count_a, count_b) <= (double)MOST_SPLITS;
    *s = (struct splits){.count = exact ? (size_t)llround(splits_ways(count_a, count_b))
                                        : RANDOM_SPLITS + 1,
                         .count_a = count_a,
                         .count_all = count_a + count_b,
                         .dice = dice};
    if (!exact)
        return have_members(s, true) ? 0 : -1;
    if (!lists[count_a][count_b])
        lists[count_a][count_b] = make_list(s);
    s->sorted = lists[count_a][count_b];
    return s->sorted ? 0 : -1;
}

void splits_close(struct splits *s)
{
    free(s->member);
    s->member = NULL;
}

double splits_p(struct splits *s, const double *ranks, enum side side)
{
    const struct sums sums = sum_up(s, ranks);
    const double observed = statistic_of(s, &sums, ranks, NULL);
    size_t extreme = 0;
    if (s->sorted && are_distinct(&sums))
        return (double)look_up(s, observed, side) / (double)s->count;
    if (!have_members(s, !s->sorted))
        return NAN;
    for (size_t row = 0; row < s->count; row++)
        extreme += distance(statistic_of(s, &sums, ranks, s->member + row * s->count_a), side) >=
                   threshold(observed, side);
    return (double)extreme / (double)s->count;
}
