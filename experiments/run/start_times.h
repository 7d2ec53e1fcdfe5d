/* Measures how long processes take to start, by launcher: if a machine's own name cannot be
 * resolved, each mpirun waits for seconds, and no other measurement shows why. */
#ifndef MAXPOOL_RUN_START_TIMES_H
#define MAXPOOL_RUN_START_TIMES_H

#include "experiments/plan/plan.h"

enum { STARTS_LAUNCHERS = 4 };

struct starts {
    struct start_time {
        char launcher[16];
        int64_t launches;
        double starting_s, measuring_s; /* seconds over all launches */
        bool reported;
    } of[STARTS_LAUNCHERS];
};

/* Takes one more process: its seconds, and those of its measurements. If starting takes longer than
 * measuring after a few launches, reports it on stderr, with the cause if that is known, and
 * corrects the plan's estimates. */
void starts_take(struct starts *s, struct plan *plan, const char *launcher, double seconds,
                 double measuring_s);

#endif
