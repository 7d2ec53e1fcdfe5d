#include "experiments/analysis/trust/rank_sum.h"

#include <math.h>
#include <stdlib.h>

/* Ranks are multiples of one half, so twice a rank is an integer. */
static size_t twice(double rank)
{
    return (size_t)llround(2.0 * rank);
}

/* ways[k * sums + s]: number of ways to choose k of the ranks so that twice their sum is s. The
 * ranks are added one by one. */
static void count_ways(double *ways, size_t sums, const double *ranks, size_t n, size_t part)
{
    ways[0] = 1.0;
    for (size_t i = 0; i < n; i++) {
        const size_t rank = twice(ranks[i]);
        for (size_t k = i + 1 < part ? i + 1 : part; k > 0; k--)
            for (size_t s = rank; s < sums; s++)
                ways[k * sums + s] += ways[(k - 1) * sums + s - rank];
    }
}

double rank_sum_p(const double *ranks, size_t n, size_t part)
{
    const size_t sums = n * (n + 1) + 1;
    const double mean = (double)(part * (n + 1)); /* of twice the sum */
    double *ways = calloc((part + 1) * sums, sizeof *ways), all = 0.0, as_far = 0.0;
    size_t observed = 0;
    if (!ways)
        return NAN;
    for (size_t i = 0; i < part; i++)
        observed += twice(ranks[i]);
    count_ways(ways, sums, ranks, n, part);
    for (size_t s = 0; s < sums; s++) {
        const double count = ways[part * sums + s];
        all += count;
        if (fabs((double)s - mean) >= fabs((double)observed - mean))
            as_far += count;
    }
    free(ways);
    return as_far / all;
}
