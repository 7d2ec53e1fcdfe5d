#include "experiments/analysis/speedup/rank_choices.h"

#include <math.h>

static const double rounding = 1e-9; /* smaller relative differences count as equal */

double rank_seconds(const struct rank_curve *c, int64_t ranks)
{
    return c->at[ranks - 1].total_s;
}

double rank_speedup(const struct rank_curve *c, int64_t ranks)
{
    return rank_seconds(c, 1) / rank_seconds(c, ranks);
}

double rank_efficiency(const struct rank_curve *c, int64_t ranks)
{
    return rank_speedup(c, ranks) / (double)ranks;
}

double rank_core_seconds(const struct rank_curve *c, int64_t ranks)
{
    return rank_seconds(c, ranks) * (double)ranks;
}

static double minus_speedup_times_efficiency(const struct rank_curve *c, int64_t ranks)
{
    return -rank_speedup(c, ranks) * rank_efficiency(c, ranks);
}

static int64_t least(const struct rank_curve *c,
                     double (*value)(const struct rank_curve *, int64_t))
{
    int64_t best = 1;
    for (int64_t ranks = 2; ranks <= c->count; ranks++)
        if (value(c, ranks) < value(c, best) - rounding * fabs(value(c, best)))
            best = ranks;
    return best;
}

struct rank_choices rank_choices_of(const struct rank_curve *c, double least_efficiency)
{
    struct rank_choices choices = {.lowest_time = least(c, rank_seconds),
                                   .least_cost = least(c, rank_core_seconds),
                                   .most_speedup_times_efficiency =
                                       least(c, minus_speedup_times_efficiency),
                                   .last_paying = 1};
    int64_t fastest = 1; /* of fewer ranks */
    for (int64_t ranks = 2; ranks <= c->count; ranks++) {
        if (rank_seconds(c, ranks) >= rank_seconds(c, fastest) * (1.0 - rounding))
            continue;
        fastest = ranks;
        if (rank_efficiency(c, ranks) >= least_efficiency)
            choices.last_paying = ranks;
    }
    return choices;
}
