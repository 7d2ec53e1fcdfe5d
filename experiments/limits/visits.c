#include "experiments/limits/visits.h"

#include "harness/base/statistics.h"

#include <math.h>

static const double quartile = 0.75, confidence = 0.95;
static const double narrow = 0.10; /* share of the ceiling; shares of limits are printed to a few
                                    * per cent */

struct rate visits_rate(const struct visits *v, double amount)
{
    double rates[VISITS_MOST];
    size_t lower, upper;
    for (size_t i = 0; i < v->count; i++)
        rates[i] = amount / v->seconds[i];
    sort_samples(rates, v->count);
    struct rate rate = {.value = sorted_quantile(rates, v->count, quartile),
                        .lower = NAN,
                        .upper = NAN,
                        .median = sorted_quantile(rates, v->count, 0.5),
                        .highest = sorted_quantile(rates, v->count, 1.0)};
    if (quantile_interval_ranks(v->count, quartile, confidence, &lower, &upper) == 0) {
        rate.lower = rates[lower - 1];
        rate.upper = rates[upper - 1];
    }
    return rate;
}

bool visits_are_apart(const struct rate *rate)
{
    return !(rate->upper - rate->lower <= narrow * rate->value);
}

bool visits_were_faster(const struct rate *rate)
{
    return rate->highest > (1.0 + narrow) * rate->upper;
}
