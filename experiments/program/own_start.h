/* What starting a program of another takes: its command with {size} = 0, so that it has nothing to
 * do, launched on every worker count in interleaved rounds (`study speedup --overhead`). */
#ifndef MAXPOOL_OWN_START_H
#define MAXPOOL_OWN_START_H

#include "experiments/program/launch/own_launch.h"

#include <stdint.h>

enum { START_LAUNCHES = 9 };

/* Wall times of one worker count, in s. */
struct own_start {
    struct own_workers workers; /* with size 0 */
    double seconds[START_LAUNCHES];
    size_t count;
};

/* Measures `count` worker counts, until done or a signal asks to stop. Checks do not apply: nothing
 * is computed. Status 4 if a launch fails: the program cannot do with nothing. */
enum status own_start_measure(struct own_start *starts, size_t count, const struct own_command *c,
                              double timeout_s, struct failure *f);

/* The median, and its 95 % interval by rank; NaN ends with fewer than six. Sorts the seconds. */
double own_start_median(struct own_start *s, double *lower, double *upper);

#endif
