/* Other programs that ran beside the launches of a point (columns launch_others_cores and
 * launch_stolen_share), and what follows.
 *
 * load_disturbs() says which launches they disturbed. A point on a GPU has one worker, the thread
 * that feeds it.
 *
 * The load is recorded apart from the times, and launches are left out for their load alone, never
 * for their times: if six others remain, which have an interval by rank, disturbed launches are
 * left out of every statistic. Otherwise all of them stay, and the point is SUSPECT. */
#ifndef MAXPOOL_TRUST_LAUNCH_LOAD_H
#define MAXPOOL_TRUST_LAUNCH_LOAD_H

#include "experiments/analysis/machine_facts.h"
#include "experiments/samples/samples.h"

enum { LAUNCHES_THAT_REMAIN = 6 };

/* Of the finished launches of a point. */
struct launch_load {
    size_t launches;
    size_t known;     /* those whose load was recorded */
    size_t disturbed; /* of these */
    size_t left_out;  /* all disturbed ones, or none */
    double others;    /* mean of the disturbed ones' cores that others kept busy; NaN: none is */
    double cores;     /* that the disturbed ones could use, mean; NaN: none is */
    double stolen; /* mean share of the busy time that a hypervisor gave to others; NaN: unknown */
};

struct launch_load launch_load_of(const struct samples *s, const struct point_samples *p,
                                  const struct machine_facts *machine);

/* Sets left_out of every launch of the set. */
void launch_load_leave_out(struct samples *s, const struct machine_facts *machine);

#endif
