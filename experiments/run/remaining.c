#include "experiments/run/remaining.h"

#include <math.h>

/* Weight of the plan's own estimates, in seconds of measuring. */
static const double prior_s = 5;

void estimate_error_add(struct estimate_error *p, double estimated_s, double taken_s)
{
    p->estimated_s += estimated_s;
    p->taken_s += taken_s;
}

double estimate_error_ratio(const struct estimate_error *p)
{
    return (p->taken_s + prior_s) / (p->estimated_s + prior_s);
}

double remaining_seconds(const struct estimate_error *p, double planned_s, double elapsed_s,
                         double budget_s, double extra_until_s)
{
    if (budget_s > 0)
        return fmax(0, budget_s - elapsed_s);
    return fmax(planned_s * estimate_error_ratio(p), extra_until_s - elapsed_s);
}
