#include "experiments/analysis/trust/launch_load.h"

#include "experiments/samples/point.h"
#include "harness/machine/other_load.h"

#include <math.h>

/* Workers on one computer. */
static double workers_of(const struct record *r)
{
    return point_is_on_device(r)
               ? 1.0
               : record_count(r->ranks) * record_count(r->threads) / record_count(r->nodes);
}

/* Cores on which the launch could run: a launcher may bind it to some of the machine's (fmin
 * ignores NaN, which an older launch has). */
static double cores_of(const struct launch *l, const struct machine_facts *machine)
{
    return fmin(l->hardware_threads, machine->cores);
}

static bool is_disturbed(const struct launch *l, const struct point_samples *p,
                         const struct machine_facts *machine)
{
    return l->finished &&
           load_disturbs(l->others_cores, workers_of(&p->identity), cores_of(l, machine));
}

struct launch_load launch_load_of(const struct samples *s, const struct point_samples *p,
                                  const struct machine_facts *machine)
{
    struct launch_load load = {0};
    double others = 0.0, cores = 0.0, stolen = 0.0, stolen_known = 0.0;
    for (size_t i = 0; i < p->count; i++) {
        const struct launch *l = &s->launches[p->first + i];
        if (!l->finished)
            continue;
        load.launches++;
        load.known += !isnan(l->others_cores);
        if (!isnan(l->stolen_share)) {
            stolen += l->stolen_share;
            stolen_known += 1.0;
        }
        if (is_disturbed(l, p, machine)) {
            load.disturbed++;
            load.left_out += l->left_out;
            others += l->others_cores;
            cores += cores_of(l, machine);
        }
    }
    load.others = load.disturbed ? others / (double)load.disturbed : (double)NAN;
    load.cores = load.disturbed ? cores / (double)load.disturbed : (double)NAN;
    load.stolen = stolen_known > 0.0 ? stolen / stolen_known : (double)NAN;
    return load;
}

void launch_load_leave_out(struct samples *s, const struct machine_facts *machine)
{
    for (size_t i = 0; i < s->point_count; i++) {
        const struct point_samples *p = &s->points[i];
        const struct launch_load load = launch_load_of(s, p, machine);
        const bool enough = load.launches - load.disturbed >= LAUNCHES_THAT_REMAIN;
        for (size_t j = 0; j < p->count; j++) {
            struct launch *l = &s->launches[p->first + j];
            l->left_out = enough && is_disturbed(l, p, machine);
        }
    }
}
