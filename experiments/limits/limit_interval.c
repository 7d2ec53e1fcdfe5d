#include "experiments/limits/limit_interval.h"

#include <math.h>

bool has_interval(struct bounded b)
{
    return b.value > 0.0 && b.lower > 0.0 && isfinite(b.upper);
}

/* Distance of the logarithms; 0 if the interval's end is not known. */
static double distance(double end, double value)
{
    const double logarithm = log(end / value);
    return isfinite(logarithm) ? logarithm : 0.0;
}

struct bounded share_of_limit(struct bounded limit, struct bounded time)
{
    const double share = limit.value / time.value;
    if (isnan(time.lower) || isnan(time.upper))
        return (struct bounded){share, NAN, NAN};
    const double less = hypot(distance(limit.lower, limit.value), distance(time.upper, time.value));
    const double more = hypot(distance(limit.upper, limit.value), distance(time.lower, time.value));
    return (struct bounded){share, share * exp(-less), share * exp(more)};
}

struct bounded bounded_quotient(struct bounded a, struct bounded b)
{
    if (has_interval(a) && has_interval(b))
        return share_of_limit(a, b);
    return (struct bounded){a.value / b.value, NAN, NAN};
}

bool limit_is_passed(struct bounded limit, struct bounded time)
{
    return share_of_limit(limit, time).lower > 1.0;
}
