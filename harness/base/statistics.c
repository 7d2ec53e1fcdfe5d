#include "harness/base/statistics.h"

#include <math.h>
#include <stdlib.h>

/* First term of the lower binomial tail that can matter, and its probability. 24 standard
 * deviations below the mean the tail is under 1e-120; starting there keeps 2^-n from underflowing.
 */
static double tail_start(size_t n, size_t *first)
{
    double start = floor(0.5 * (double)n - 12.0 * sqrt((double)n));
    if (!(start > 0.0)) {
        *first = 0;
        return ldexp(1.0, -(int)n);
    }
    *first = (size_t)start;
    double log_ways =
        lgamma((double)n + 1.0) - lgamma(start + 1.0) - lgamma((double)n - start + 1.0);
    return exp(log_ways - (double)n * log(2.0));
}

int median_interval_ranks(size_t n, double confidence, size_t *lower, size_t *upper)
{
    if (n == 0 || !(confidence > 0.0 && confidence < 1.0))
        return -1;
    size_t i; /* successes of B(n, 1/2) */
    double term = tail_start(n, &i);
    double tail = term; /* P(B <= i) */
    while (2.0 * tail <= 1.0 - confidence && i < n / 2) {
        term *= (double)(n - i) / (double)(i + 1);
        tail += term;
        i++;
    }
    /* Now i is the smallest count with 2 P(B <= i) > 1 - confidence, so i is the largest valid
     * lower rank. */
    if (i == 0)
        return -1;
    *lower = i;
    *upper = n + 1 - i;
    return 0;
}

/* P(B(n, p) = k) */
static double binomial(size_t n, size_t k, double p)
{
    const double all = (double)n, hits = (double)k;
    return exp(lgamma(all + 1.0) - lgamma(hits + 1.0) - lgamma(all - hits + 1.0) + hits * log(p) +
               (all - hits) * log1p(-p));
}

int quantile_interval_ranks(size_t n, double fraction, double confidence, size_t *lower,
                            size_t *upper)
{
    if (n == 0 || !(fraction > 0.0 && fraction < 1.0) || !(confidence > 0.0 && confidence < 1.0))
        return -1;
    const double most = 0.5 * (1.0 - confidence);
    double below = 0.0, above = 0.0; /* P(B <= *lower - 1), P(B >= *upper) */
    for (*lower = 0; *lower < n; ++*lower) {
        below += binomial(n, *lower, fraction);
        if (below > most)
            break;
    }
    for (*upper = n + 1; *upper > 1; --*upper) {
        above += binomial(n, *upper - 1, fraction);
        if (above > most)
            break;
    }
    return *lower >= 1 && *upper <= n ? 0 : -1;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double between(double below, double above, double weight)
{
    return below * (1.0 - weight) + above * weight;
}

double sorted_quantile(const double *sorted, size_t n, double fraction)
{
    if (n == 0)
        return NAN;
    double position = fraction * (double)(n - 1);
    size_t below = (size_t)position;
    if (below + 1 >= n)
        return sorted[n - 1];
    return between(sorted[below], sorted[below + 1], position - (double)below);
}

double median_of_repeated(const double *values, const size_t *order, const size_t *times, size_t n)
{
    const size_t lower = (n - 1) / 2; /* ranks from 0 of the one or two in the middle */
    size_t i = 0, seen = times[order[0]];
    while (seen <= lower)
        seen += times[order[++i]];
    const double below = values[order[i]];
    if (n == 1)
        return below;
    while (seen <= lower + 1)
        seen += times[order[++i]];
    return between(below, values[order[i]], n % 2 ? 0.0 : 0.5);
}

/* The faster sort for few samples: resampling sorts a dozen launches millions of times. */
static void insertion_sort(double *samples, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        double x = samples[i];
        size_t at = i;
        for (; at > 0 && samples[at - 1] > x; at--)
            samples[at] = samples[at - 1];
        samples[at] = x;
    }
}

void sort_samples(double *samples, size_t n)
{
    enum { FEW = 32 };
    if (n <= FEW)
        insertion_sort(samples, n);
    else
        qsort(samples, n, sizeof *samples, ascending);
}

double rank_among(const double *values, size_t n, size_t i)
{
    size_t less = 0, equal = 0;
    for (size_t j = 0; j < n; j++) {
        less += values[j] < values[i];
        equal += values[j] == values[i];
    }
    return (double)less + 0.5 * ((double)equal + 1.0);
}

double median_of(double *samples, size_t n)
{
    sort_samples(samples, n);
    return sorted_quantile(samples, n, 0.5);
}

static double mean_of(const double *samples, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += samples[i];
    return n > 0 ? sum / (double)n : NAN;
}

struct summary summarise(double *samples, size_t n)
{
    sort_samples(samples, n);
    struct summary s = {
        .n = n,
        .median = sorted_quantile(samples, n, 0.5),
        .lower = NAN,
        .upper = NAN,
        .minimum = sorted_quantile(samples, n, 0.0),
        .quartile1 = sorted_quantile(samples, n, 0.25),
        .quartile3 = sorted_quantile(samples, n, 0.75),
        .maximum = sorted_quantile(samples, n, 1.0),
        .mean = mean_of(samples, n),
    };
    size_t lower, upper;
    if (median_interval_ranks(n, 0.95, &lower, &upper) == 0) {
        s.lower = samples[lower - 1];
        s.upper = samples[upper - 1];
    }
    return s;
}

double summary_relative_half_width(const struct summary *s)
{
    double half_width = 0.5 * (s->upper - s->lower);
    if (!(half_width >= 0.0 && s->median > 0.0))
        return INFINITY;
    return half_width / s->median;
}
