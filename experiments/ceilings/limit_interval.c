#include "experiments/ceilings/limit_interval.h"

#include <math.h>

/* Squared distance of the logarithms; 0 if the interval's end is not known. */
static double squared(double end, double value)
{
    const double distance = log(end / value);
    return isfinite(distance) ? distance * distance : 0.0;
}

struct bounded share_of_limit(struct bounded limit, struct bounded time)
{
    const double share = limit.value / time.value;
    if (isnan(time.lower) || isnan(time.upper))
        return (struct bounded){share, NAN, NAN};
    const double less = sqrt(squared(limit.lower, limit.value) + squared(time.upper, time.value));
    const double more = sqrt(squared(limit.upper, limit.value) + squared(time.lower, time.value));
    return (struct bounded){share, share * exp(-less), share * exp(more)};
}

bool limit_is_passed(struct bounded limit, struct bounded time)
{
    return share_of_limit(limit, time).lower > 1.0;
}
