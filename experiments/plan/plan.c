#include "experiments/plan/plan.h"

#include "experiments/plan/command_line.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

const char *plan_launcher(const struct plan *plan, const struct planned *point)
{
    const char *asked = plan->settings.launcher;
    if (!*asked)
        asked = plan->definitions[point->definition].launcher;
    return command_launcher(asked, &point->point);
}

int64_t plan_launches(const struct plan *plan, const struct planned *point)
{
    return point->simulated ? 1 : plan->definitions[point->definition].launches;
}

double plan_seconds(const struct plan *plan)
{
    double sum = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (!plan->points[i].skip)
            sum += plan->points[i].estimate_s * (double)plan_launches(plan, &plan->points[i]);
    return sum;
}

int64_t plan_rounds(const struct plan *plan)
{
    int64_t most = 0;
    for (size_t i = 0; i < plan->definition_count; i++)
        if (plan->definitions[i].launches > most)
            most = plan->definitions[i].launches;
    return most;
}

void plan_order(const struct plan *plan, int64_t seed, int64_t round, size_t *order)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < plan->count; i++)
        order[i] = i;
    if (!random)
        return; /* in the plan's own order, then */
    gsl_rng_set(random, (unsigned long)(seed + 1) * 1000003u + (unsigned long)round);
    gsl_ran_shuffle(random, order, plan->count, sizeof *order);
    gsl_rng_free(random);
}

void plan_release(struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        free(plan->points[i].skip);
        if (plan->points[i].simulated)
            platform_release(&plan->points[i].simulated->platform);
        free(plan->points[i].simulated);
    }
    for (size_t i = 0; i < plan->definition_count; i++)
        definition_release(&plan->definitions[i]);
    free(plan->points);
    free(plan->definitions);
    free(plan->programs);
    *plan = (struct plan){0};
}
