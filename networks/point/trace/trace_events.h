/* What a trace is made of: events, names of tracks, and what every rank reports of itself. */
#ifndef MAXPOOL_TRACE_EVENTS_H
#define MAXPOOL_TRACE_EVENTS_H

#include "harness/point/point.h"

#include <stdio.h>

/* One complete event on the track of a thread of a process. */
struct event {
    int64_t process, thread;
    const char *name;
    double begin, end; /* seconds, by the clock of the rank */
    double start;      /* when it began, likewise */
};

/* `more` is the rest of the event, from its arguments on. */
void event_print(FILE *out, const struct event *e, const char *more);

/* The name of a process, or of a thread of it: `what` is process_name or thread_name. */
void event_name(FILE *out, const char *what, int64_t process, int64_t thread, const char *name);

/* Every rank's block of `bytes` in the root, in their order: *blocks, released by free(). `fill`
 * makes this rank's in memory of zeros; status 4 where one rank lacks memory or `fits` is false.
 * Collective. */
enum status trace_gather(const struct point *p, bool fits, size_t bytes,
                         void (*fill)(void *block, const void *context), const void *context,
                         char **blocks, struct failure *f);

#endif
