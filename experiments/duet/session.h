/* The measuring of `study duet`: layout after layout, a process each, into which both builds are
 * loaded anew and in which every point is timed in rounds.
 *
 * Drawn anew for each layout: where the code and constants of either module begin (linked anew
 * behind up to 4,095 bytes, in steps of 16), which module is loaded first, the pages and heap
 * between them, the line of its page at which each array begins, the bytes below the stack, and
 * which build comes first in the first round (rounds then alternate). Not drawn: the order of
 * functions within a module, and what the compiler did. Source of the need: Mytkowicz, Diwan,
 * Hauswirth & Sweeney (2009), ASPLOS XIV, 265-276. */
#ifndef MAXPOOL_DUET_SESSION_H
#define MAXPOOL_DUET_SESSION_H

#include "experiments/duet/build.h"
#include "experiments/duet/points.h"

#include <stdio.h>

struct duet_request {
    const char *work; /* folder for modules and samples */
    int64_t layouts, rounds, threads, seed;
    double least_s; /* of a sample */
    FILE *record;   /* where samples are written as CSV; NULL: nowhere */
};

/* What is known of a point. Arrays have a place for each layout; owned. */
struct duet_times {
    double *ratios;                /* seconds of B over seconds of A: median of the rounds */
    double *seconds_a, *seconds_b; /* medians */
    size_t layouts;                /* measured */
    unsigned long long hash_a, hash_b;
    char lacks[4];    /* a, b or ab cannot do it; "": both can */
    char wrong;       /* a or b: its output is wrong; '\0': none is */
    char reason[256]; /* of either */
};

struct duet_session {
    struct duet_times *times; /* one a point; owned */
    size_t count;
    double seconds; /* that it took */
};

/* Status of the worker where it fails, of which one line is the failure. */
enum status duet_session_run(struct duet_session *s, const struct duet_request *request,
                             struct duet_build builds[2], const struct duet_points *points,
                             struct failure *f);
void duet_session_release(struct duet_session *s);

#endif
