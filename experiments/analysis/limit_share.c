#include "experiments/analysis/limit_share.h"

#include <math.h>

struct interval limit_share_interval(struct bounded limit, struct bounded time)
{
    const struct bounded share = share_of_limit(limit, time);
    return (struct interval){share.lower, share.upper};
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

double point_share(const struct point *p)
{
    return p->roof.seconds > 0.0 ? p->roof.seconds / time_of(p).value : (double)NAN;
}

struct interval point_share_interval(const struct point *p)
{
    return limit_share_interval(roof_of_point(p), time_of(p));
}

bool point_passes_limit(const struct point *p)
{
    return limit_is_passed(roof_of_point(p), time_of(p));
}
