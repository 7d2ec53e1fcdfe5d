#include "experiments/plan/plan.h"

#include "experiments/plan/command_line.h"
#include "experiments/plan/programs.h"
#include "experiments/plan/work.h"
#include "experiments/samples/point.h"
#include "harness/point/sampling/rounds.h"

#include <stdlib.h>
#include <string.h>

const struct sweep *plan_sweep(const struct plan *plan, const struct planned *point)
{
    return &plan->definitions[point->definition].sweeps[point->sweep];
}

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

static int64_t workers_of(const struct record *r)
{
    int64_t workers;
    return __builtin_mul_overflow(work_or_one(r->ranks), work_or_one(r->threads), &workers)
               ? INT64_MAX
               : workers;
}

int64_t plan_most_sharing(const struct plan *plan)
{
    int64_t most = plan->settings.here > 0 ? plan->settings.here : plan->settings.cores;
    const int64_t cores = most;
    for (size_t i = 0; i < plan->count; i++) {
        const struct planned *p = &plan->points[i];
        if (!p->skip && !p->simulated && !point_is_on_device(&p->point) &&
            strcmp(plan_launcher(plan, p), "srun") != 0 && workers_of(&p->point) > most)
            most = workers_of(&p->point);
    }
    return most > cores ? most : 0;
}

bool plan_repeats(const struct plan *plan, const size_t *points, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (!plan->points[points[i]].skip && strcmp(plan->points[points[i]].point.method,
                                                    plan->points[points[at]].point.method) == 0)
            return true;
    return false;
}

double plan_seconds(const struct plan *plan)
{
    double sum = 0;
    for (size_t g = 0; g < plan->group_count; g++) {
        const struct group *group = &plan->groups[g];
        for (size_t i = 0; i < group->count; i++) {
            const struct planned *p = &plan->points[group->points[i]];
            if (!p->skip && !plan_repeats(plan, group->points, i))
                sum += p->estimate_s * (double)plan_launches(plan, p);
        }
    }
    return sum;
}

size_t plan_distinct(const struct plan *plan)
{
    size_t n = 0;
    for (size_t g = 0; g < plan->group_count; g++)
        for (size_t i = 0; i < plan->groups[g].count; i++)
            n += !plan->points[plan->groups[g].points[i]].skip &&
                 !plan_repeats(plan, plan->groups[g].points, i);
    return n;
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
    rounds_order((uint64_t)seed, (uint64_t)round, order, plan->group_count);
}

void plan_release(struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        free(plan->points[i].skip);
        if (plan->points[i].simulated)
            platform_release(&plan->points[i].simulated->platform);
        free(plan->points[i].simulated);
    }
    for (size_t i = 0; i < plan->group_count; i++)
        free(plan->groups[i].points);
    for (size_t i = 0; i < plan->definition_count; i++)
        definition_release(&plan->definitions[i]);
    free(plan->points);
    free(plan->groups);
    free(plan->definitions);
    if (plan->programs)
        programs_release(plan->programs);
    free(plan->programs);
    *plan = (struct plan){0};
}
