#include "experiments/run/remaining.h"

#include <math.h>

/* Weight of the plan's own estimates, in seconds of measuring. */
static const double prior_s = 5;

void pace_add(struct pace *p, double estimated_s, double taken_s)
{
    p->estimated_s += estimated_s;
    p->taken_s += taken_s;
}

double pace_ratio(const struct pace *p)
{
    return (p->taken_s + prior_s) / (p->estimated_s + prior_s);
}

double remaining_seconds(const struct pace *p, double planned_s, double elapsed_s, double budget_s,
                         double extra_until_s)
{
    if (budget_s > 0)
        return fmax(0, budget_s - elapsed_s);
    return fmax(planned_s * pace_ratio(p), extra_until_s - elapsed_s);
}
