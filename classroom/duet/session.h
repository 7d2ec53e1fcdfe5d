/* The measurement of `study duet`. Each layout is a process into which both builds are loaded at
 * new addresses and in which every point is timed in rounds.
 *
 * Random in each layout: where the code and constants of each module begin (linked after up to
 * 4,080 bytes, in steps of 16), which module is loaded first, the pages and heap bytes between the
 * modules, the cache line of its page at which each array begins, the bytes below the stack, and
 * which build comes first in the first round (rounds then alternate). Not random: the order of
 * functions within a module, and the compiler's code. The reason for it: Mytkowicz, Diwan,
 * Hauswirth & Sweeney (2009), ASPLOS XIV, 265-276. */
#ifndef MAXPOOL_DUET_SESSION_H
#define MAXPOOL_DUET_SESSION_H

#include "classroom/duet/build.h"
#include "classroom/duet/points.h"

#include <stdio.h>

struct duet_request {
    const char *work; /* folder for modules and samples */
    int64_t layouts, rounds, threads, seed;
    double least_s; /* minimum duration of a sample */
    FILE *record;   /* samples are written to it as CSV; NULL: not written */
};

/* Results of one point. Arrays have one element per layout; owned. */
struct duet_times {
    double *ratios;                /* seconds of B / seconds of A: median of the rounds */
    double *seconds_a, *seconds_b; /* medians of the rounds */
    size_t layouts;                /* number measured */
    unsigned long long hash_a, hash_b;
    char lacks[4];    /* a, b or ab: builds that cannot compute the point; "": both can */
    char wrong;       /* a or b: the build whose output is wrong; '\0': none */
    char reason[256]; /* the message for `lacks` or `wrong` */
};

struct duet_session {
    struct duet_times *times; /* one per point; owned */
    size_t count;
    double seconds;       /* duration of the session */
    double *others_cores; /* mean hardware threads that other programs kept busy, per layout; NaN:
                           * not known; owned */
    size_t disturbed;     /* layouts that other programs disturbed (harness/machine/other_load.h) */
    int64_t hardware_threads; /* that the session may use */
};

/* Measures all points. If the worker fails, returns its status with the first line of its output as
 * the message. */
enum status duet_session_run(struct duet_session *s, const struct duet_request *request,
                             struct duet_build builds[2], const struct duet_points *points,
                             struct failure *f);
void duet_session_release(struct duet_session *s);

#endif
