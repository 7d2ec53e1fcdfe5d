#include "experiments/analysis/trust/further_rounds.h"

#include "harness/base/statistics.h"

#include <math.h>

enum { LEAST = 3 };
static const double beyond_chance = 2.4;

bool further_rounds_differ(double *planned, size_t n, double *further, size_t m, double apart,
                           double *factor)
{
    double above = 0.0; /* pairs whose further launch takes longer; ties count half */
    *factor = 1.0;
    if (n < LEAST || m < LEAST)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            above += further[j] > planned[i] ? 1.0 : further[j] == planned[i] ? 0.5 : 0.0;
    const double pairs = (double)n * (double)m;
    const double deviation = sqrt(pairs * ((double)n + (double)m + 1.0) / 12.0);
    *factor = median_of(further, m) / median_of(planned, n);
    return fabs(log(*factor)) > log1p(apart) &&
           fabs(above - 0.5 * pairs) >= beyond_chance * deviation;
}
