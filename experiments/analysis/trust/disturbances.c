#include "experiments/analysis/trust/disturbances.h"

#include "harness/base/statistics.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { LEAST = 6, LEAST_SAMPLES = 5 };
static const double level = 1.0 / 200.0;

/* NaN if all values of x or y are equal. */
static double rank_correlation(const double *x, const double *y, size_t n)
{
    const double mean = 0.5 * ((double)n + 1.0); /* of all ranks */
    double products = 0.0, squares_x = 0.0, squares_y = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double a = rank_among(x, n, i) - mean, b = rank_among(y, n, i) - mean;
        products += a * b;
        squares_x += a * a;
        squares_y += b * b;
    }
    return products / sqrt(squares_x * squares_y);
}

/* Whether Student's t is beyond chance. */
static bool is_beyond(double t, double freedom)
{
    return t > 0.0 && gsl_cdf_tdist_Q(t, freedom) <= level;
}

bool disturbance_follows_launches(const double *times, const double *amounts, size_t n)
{
    if (n < LEAST)
        return false;
    const double r = rank_correlation(times, amounts, n), freedom = (double)n - 2.0;
    return r >= 1.0 || is_beyond(r * sqrt(freedom / (1.0 - r * r)), freedom);
}

bool disturbance_follows_samples(const struct disturbed_samples *launches, size_t n)
{
    double sum = 0.0, squares = 0.0, report = 0.0; /* launches that count */
    for (size_t i = 0; i < n; i++) {
        const struct disturbed_samples *s = &launches[i];
        const bool both_kinds = s->slow > 0.0 && s->slow < s->all;
        if (s->all < LEAST_SAMPLES || !both_kinds || !(s->disturbed > 0.0 && s->disturbed < s->all))
            continue;
        const double excess = s->both - s->slow * s->disturbed / s->all;
        sum += excess;
        squares += excess * excess;
        report += 1.0;
    }
    const double left = squares - sum * sum / report; /* sum of squares about their mean */
    if (report < LEAST || !(sum > 0.0))
        return false;
    return left <= 0.0 || is_beyond(sum / sqrt(report * left / (report - 1.0)), report - 1.0);
}
