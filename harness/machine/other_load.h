/* How busy everything else on this machine is: processor time of the hardware threads that this
 * process may use, less its own. Hardware threads that it may not use do not count, however busy.
 * Every path begins with `root`: "" for the system's own files, or a folder with copies of them.
 *
 * Resolution: /proc/stat counts in ticks of 10 ms, cut off, per hardware thread. The difference of
 * two counts is wrong by less than a tick, and its standard deviation is tick / sqrt(6). Over n
 * hardware threads these errors add up as independent ones do; less than 2 ticks x sqrt(n), which
 * is 4.9 of their standard deviations, is not claimed and counts as 0. In a tenth of a second on
 * two hardware threads that is 0.28 cores, in a second 0.03. */
#ifndef MAXPOOL_OTHER_LOAD_H
#define MAXPOOL_OTHER_LOAD_H

#include "harness/machine/processes.h"

#include <stdbool.h>
#include <stdint.h>

enum { OTHER_LOAD_CPUS = 1024 }; /* as in cpu_set_t; a larger machine is unknown */

/* Processor time of one hardware thread since the system began, in seconds. */
struct cpu_time {
    double busy_s;   /* neither idle nor stolen */
    double idle_s;   /* also waiting for a disk */
    double stolen_s; /* given by a hypervisor to other machines */
};

/* The counters at one moment; NaN: not readable. About 24 KiB. */
struct load_reading {
    double at_s;                            /* clock_now() */
    double own_s;                           /* processor time that is not others' */
    double group_s;                         /* of the outermost control group that is visible */
    double pressure_s;                      /* in which a program was ready and had no processor */
    uint64_t watched[OTHER_LOAD_CPUS / 64]; /* hardware threads that threads of this process may
                                             * use, one bit each */
    struct cpu_time cpus[OTHER_LOAD_CPUS];  /* 0 where there is none */
};

/* Whose processor time is our own: that of this process, with all its threads, also those that have
 * ended; or also that of its children and their descendants, those that it has waited for and those
 * that live. A family is found by a look at every process: milliseconds. */
enum load_owner { LOAD_OF_PROCESS, LOAD_OF_FAMILY };

/* Takes a reading: two files and a system call per thread, about a tenth of a millisecond on a
 * small machine. */
void other_load_read(struct load_reading *r, const char *root, enum load_owner owner);

/* Makes one reading of those of all processes on this computer: their own times are added, and the
 * hardware threads that any of them may use are watched. Collective. */
void other_load_join(struct load_reading *r, const struct processes *processes);

/* What happened between two readings; NaN: unknown. */
struct other_load {
    double seconds;           /* between them */
    int64_t hardware_threads; /* watched at either reading */
    double cores;          /* mean number of watched hardware threads that other programs kept busy;
                            * unknown below OTHER_LOAD_LEAST_S. Where /proc/stat does not count, as
                            * in some sandboxes: those of the control group */
    double stolen_share;   /* of the time in which watched hardware threads were not idle */
    double pressure_share; /* of the time, in which a program was ready and had no processor: in the
                            * nearest control group that counts this, or else in the system */
};

/* Five ticks. */
#define OTHER_LOAD_LEAST_S 0.05

struct other_load other_load_between(const struct load_reading *before,
                                     const struct load_reading *after);

/* Returns hardware_threads; NaN if the load on them is unknown. */
double other_load_counted_on(const struct other_load *l);

/* Whether others, who kept `others` cores busy, disturbed `workers` workers on a computer with so
 * many cores: they kept more than a quarter of a core busy, and together with the workers they left
 * less than a quarter of a core idle. On a computer with more than 50 cores the first quarter is
 * half a percent of them: its own services. Where cores stay idle, programs on these cores do not
 * disturb by this rule; that they share memory and caches shows in the times, if at all. False if a
 * number is unknown (NaN). */
bool load_disturbs(double others, double workers, double cores);

/* The same for what happened between two readings. */
bool other_load_disturbs(const struct other_load *l, int64_t workers);

/* Processor time in seconds that may be an error of counting on so many hardware threads. */
double other_load_error_s(int64_t hardware_threads);

#endif
