/* How long processes take to start, by launcher: where a machine's own name cannot be found, each
 * mpirun waits for seconds, which no measuring explains. */
#ifndef MAXPOOL_RUN_START_TIMES_H
#define MAXPOOL_RUN_START_TIMES_H

#include "experiments/plan/plan.h"

enum { STARTS_LAUNCHERS = 4 };

struct starts {
    struct start_time {
        char launcher[16];
        int64_t launches;
        double starting_s, measuring_s; /* of all of them */
        bool reported;
    } of[STARTS_LAUNCHERS];
};

/* One more process: its seconds and those of them that it measured for. After some, where starting
 * takes longer than measuring, says so on stderr, with the cause where it can be seen, and plans
 * with it. */
void starts_take(struct starts *s, struct plan *plan, const char *launcher, double seconds,
                 double measuring_s);

/* What is wrong with the name of this host, as a text with its remedy; "" where it is found at
 * once. */
void starts_name_trouble(char *text, size_t size);

#endif
