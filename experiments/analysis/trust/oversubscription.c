/* Finds the points that had more workers than cores. */
#include "experiments/analysis/analysis.h"
#include "experiments/plan/simulated.h"

#include <math.h>
#include <string.h>

/* The number of computers of a point: the machine's facts describe one. */
static double computers(const struct point *p)
{
    return record_count(p->samples->identity.nodes);
}

/* True if most launches recorded that their workers share cores, which the programs see themselves
 * even if the machine is unknown. */
static bool was_seen(const struct analysis *a, const struct point *p)
{
    size_t crowded = 0;
    for (size_t i = 0; i < p->samples->count; i++)
        crowded += strcmp(a->samples.launches[p->samples->first + i].binding, "shared") == 0;
    return 2 * crowded > p->samples->count;
}

void analysis_sharing(struct analysis *a, const struct analysis_request *request)
{
    const double most = machine_most_workers(request->machine);
    for (size_t i = 0; i < a->point_count; i++) {
        struct point *p = &a->points[i];
        p->shares_cores = !is_simulated(&p->samples->identity) &&
                          (p->workers > most * computers(p) || was_seen(a, p));
    }
}

enum metric point_work_metric(const struct point *p)
{
    return p->shares_cores ? METRIC_TOTAL : METRIC_COMPUTE;
}
