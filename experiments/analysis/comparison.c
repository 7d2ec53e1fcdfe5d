#include "experiments/analysis/comparison.h"

#include "experiments/analysis/splits.h"
#include "harness/base/statistics.h"
#include "harness/base/text/messages.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_EXACT = SPLITS_MOST_EXACT };
static const double significance = 0.05;

const char *const comparison_names[] = {N_("SAME"), N_("FASTER"), N_("SLOWER"), N_("UNDECIDED")};

int comparison_possible(size_t launches_a, size_t launches_b)
{
    if (launches_a + launches_b > MOST_EXACT)
        return launches_a > 1 && launches_b > 1;
    return launches_a > 1 && launches_b > 1 && splits_ways(launches_a, launches_b) >= 40.0;
}

/* Share of the splits that are at least as extreme as the observed one, after `shift` is subtracted
 * from the logarithms of B. `scratch` has 2 count_all elements. */
static double p_of(const struct splits *s, const double *logs, double shift,
                   enum statistic statistic, enum side side, double *scratch)
{
    double *shifted = scratch, *ranks = scratch + s->count_all;
    for (size_t i = 0; i < s->count_all; i++)
        shifted[i] = logs[i] - (i < s->count_a ? 0.0 : shift);
    for (size_t i = 0; i < s->count_all; i++)
        ranks[i] = rank_among(shifted, s->count_all, i);
    return splits_p(s, ranks, statistic, side);
}

static double p_of_shift(const struct splits *s, const double *logs, double shift, double *scratch)
{
    return p_of(s, logs, shift, OF_ALL, EITHER, scratch);
}

/* Returns the shift farthest from the centre, in the direction of the sign of `step`, that the test
 * of all ranks does not reject. */
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

/* Returns the median of the differences between every launch of B and every launch of A: the
 * Hodges-Lehmann estimate of the shift. NaN if memory runs out. Source: Hodges & Lehmann (1963),
 * Annals of Mathematical Statistics 34, 598-611. */
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

/* About one standard error of the difference, so that a few doublings reach the bound. */
static double first_step(const double *logs, size_t count_a, size_t count_b)
{
    double variance = gsl_stats_variance(logs, 1, count_a) / (double)count_a +
                      gsl_stats_variance(logs + count_a, 1, count_b) / (double)count_b;
    return fmax(1e-9, sqrt(variance));
}

/* The probability that decides: the smaller of the two one-sided ones, doubled because a change in
 * either direction counts. */
static double deciding_p(const struct comparison *c)
{
    return fmin(1.0, 2.0 * fmin(c->p_slower, c->p_faster));
}

void comparison_decide(struct comparison *c, double margin)
{
    const bool within = c->lower >= 1.0 - margin && c->upper <= 1.0 + margin;
    const bool beyond = deciding_p(c) <= significance;
    c->verdict = COMPARISON_UNDECIDED; /* also if interval and tests contradict each other */
    if (within && !beyond)
        c->verdict = COMPARISON_SAME;
    else if (beyond && !within)
        c->verdict = c->p_slower < c->p_faster ? COMPARISON_SLOWER : COMPARISON_FASTER;
}

static void find_bounds(struct comparison *c, const struct splits *s, const double *logs,
                        double *scratch, double centre)
{
    const double step = first_step(logs, c->launches_a, c->launches_b);
    c->lower = exp(bound(s, logs, centre, -step, scratch));
    c->upper = exp(bound(s, logs, centre, step, scratch));
}

static int test_difference(struct comparison *c, const double *logs, double *scratch, double centre,
                           double margin, gsl_rng *rng)
{
    struct splits s;
    int result = splits_open(&s, c->launches_a, c->launches_b, rng);
    if (result == 0) {
        c->p_value = p_of_shift(&s, logs, 0.0, scratch);
        c->p_slower = p_of(&s, logs, log1p(margin), IN_PARTS, ABOVE, scratch);
        c->p_faster = p_of(&s, logs, log1p(-margin), IN_PARTS, BELOW, scratch);
        c->least_p = 1.0 / (double)s.count;
        find_bounds(c, &s, logs, scratch, centre);
        result = isnan(c->p_value + c->p_slower + c->p_faster) ? -1 : 0;
    }
    return result;
}

int compare_launches(struct comparison *c, const double *a, size_t count_a, const double *b,
                     size_t count_b, double margin, gsl_rng *rng)
{
    *c = (struct comparison){.ratio = NAN,
                             .lower = 0.0,
                             .upper = INFINITY,
                             .p_value = 1.0,
                             .p_slower = 1.0,
                             .p_faster = 1.0,
                             .least_p = 1.0,
                             .launches_a = count_a,
                             .launches_b = count_b,
                             .verdict = COMPARISON_UNDECIDED};
    if (count_a == 0 || count_b == 0)
        return 0;
    size_t all = count_a + count_b;
    double *logs = calloc(3 * all, sizeof *logs); /* followed by scratch, twice as much */
    if (!logs)
        return -1;
    for (size_t i = 0; i < all; i++)
        logs[i] = log(i < count_a ? a[i] : b[i - count_a]) - log(a[0]);
    const double centre = find_centre(logs, count_a, count_b);
    c->ratio = exp(centre);
    int result = isnan(centre) ? -1 : 0;
    const bool possible = comparison_possible(count_a, count_b);
    if (result == 0 && possible)
        result = test_difference(c, logs, logs + all, centre, margin, rng);
    if (result == 0 && possible)
        comparison_decide(c, margin);
    free(logs);
    return result;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The largest probability that is small enough, of `count` in ascending order. */
static double level_up(const double *sorted, size_t count)
{
    double level = -1.0;
    for (size_t i = 0; i < count; i++)
        if (sorted[i] <= significance * (double)(i + 1) / (double)count)
            level = sorted[i];
    return level;
}

static double level_down(const double *sorted, size_t count)
{
    double level = -1.0;
    for (size_t i = 0; i < count && sorted[i] <= significance / (double)(count - i); i++)
        level = sorted[i];
    return level;
}

static int decide_by(struct comparison *all, size_t count,
                     double (*level_of)(const double *sorted, size_t count))
{
    double *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted)
        return -1;
    for (size_t i = 0; i < count; i++)
        sorted[i] = deciding_p(&all[i]);
    qsort(sorted, count, sizeof *sorted, ascending);
    const double level = level_of(sorted, count);
    for (size_t i = 0; i < count; i++)
        if (all[i].verdict != COMPARISON_SAME && !(deciding_p(&all[i]) <= level))
            all[i].verdict = COMPARISON_UNDECIDED;
    free(sorted);
    return 0;
}

int compare_together(struct comparison *all, size_t count)
{
    return decide_by(all, count, level_up);
}

int compare_all_of(struct comparison *all, size_t count)
{
    return decide_by(all, count, level_down);
}

double comparison_level(size_t count)
{
    return 0.5 * significance / (double)(count > 0 ? count : 1);
}

double comparison_detectable(const struct comparison *c, double margin, size_t count)
{
    const double each = comparison_level(count);
    if (!(c->least_p <= each) || !(c->lower > 0.0) || !isfinite(c->upper))
        return INFINITY;
    const double error = log(c->upper / c->lower) / (2.0 * gsl_cdf_ugaussian_Pinv(0.975));
    const double far = gsl_cdf_ugaussian_Qinv(each) + gsl_cdf_ugaussian_Pinv(0.95);
    return (1.0 + margin) * exp(far * error);
}

size_t comparison_launches_needed(size_t count)
{
    size_t launches = 4;
    while (2 * launches < MOST_EXACT &&
           2.0 * (double)count > significance * splits_ways(launches, launches))
        launches++;
    return launches;
}
