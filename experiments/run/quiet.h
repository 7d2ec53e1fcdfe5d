/* A look at the other programs of this machine before something is measured. It only warns: what
 * disturbs a launch is decided by the launch itself (harness/machine/other_load.h). */
#ifndef MAXPOOL_RUN_QUIET_H
#define MAXPOOL_RUN_QUIET_H

#include "harness/machine/family.h"

#include <stdbool.h>

enum { QUIET_NAMED = 3 };

/* What was seen during `seconds`. */
struct quiet_look {
    double seconds;
    double cores; /* that other programs kept busy; NaN: unknown */
    struct quiet_program {
        int pid;
        char command[64];
        double cores;
    } named[QUIET_NAMED]; /* the busiest that live, at least a twentieth of a core */
    size_t named_count;
};

/* Looks at this machine for a second, or for what MAXPOOL_WAIT allows, at least a tenth of one. */
struct quiet_look quiet_look(void);

/* Names the busiest of the programs that were seen `seconds` apart, without our own ones. */
void quiet_name(struct quiet_look *look, const struct seen_process *before, size_t before_count,
                const struct seen_process *after, size_t after_count);

/* Whether programs that need all of the cores would not be disturbed. */
bool quiet_is(const struct quiet_look *look, double cores);

/* "1.97 of 2 cores busy: yes (pid 7) 1.00 cores, cc1 (pid 9) 0.97 cores" */
enum { QUIET_TEXT = 400 };
void quiet_text(const struct quiet_look *look, double cores, char text[QUIET_TEXT]);

/* Looks like quiet_look(). If other programs are running, names them on standard error and waits at
 * most `most_s` seconds until they are quiet, with a line of progress on a terminal; MAXPOOL_WAIT
 * in the environment is the most that it ever waits (seconds; default 20). Returns early when asked
 * to stop. Returns the cores that others kept busy at the last look; NaN: unknown. */
double quiet_wait(double most_s);

#endif
