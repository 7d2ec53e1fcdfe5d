#include "experiments/analysis/limit_share.h"

#include <math.h>

/* Squared distance of logarithms; 0 where an end is not known. */
static double squared(double end, double value)
{
    const double distance = log(end / value);
    return isfinite(distance) ? distance * distance : 0.0;
}

struct interval limit_share_interval(struct bounded limit, struct bounded time)
{
    const double share = limit.value / time.value;
    if (isnan(time.lower) || isnan(time.upper))
        return (struct interval){NAN, NAN};
    const double less = sqrt(squared(limit.lower, limit.value) + squared(time.upper, time.value));
    const double more = sqrt(squared(limit.upper, limit.value) + squared(time.lower, time.value));
    return (struct interval){share * exp(-less), share * exp(more)};
}

static struct bounded time_of(const struct point *p)
{
    const struct estimate *e = &p->seconds[point_work_metric(p)];
    return (struct bounded){e->value, e->interval.lower, e->interval.upper};
}

static struct bounded roof_of_point(const struct point *p)
{
    return (struct bounded){p->roof.seconds, p->roof.lower_s, p->roof.upper_s};
}

struct interval point_share_interval(const struct point *p)
{
    return limit_share_interval(roof_of_point(p), time_of(p));
}

struct interval point_apart_interval(const struct point *p)
{
    const struct bounded limit = {p->roof.apart_s, p->roof.apart_lower_s, p->roof.apart_upper_s};
    return limit_share_interval(limit, time_of(p));
}

bool limit_is_passed(struct bounded limit, struct bounded time)
{
    return limit_share_interval(limit, time).lower > 1.0;
}

bool point_passes_limit(const struct point *p)
{
    return limit_is_passed(roof_of_point(p), time_of(p));
}
