/* The parts of a trace: events, names of tracks, and the reports of all ranks. */
#ifndef MAXPOOL_TRACE_EVENTS_H
#define MAXPOOL_TRACE_EVENTS_H

#include "harness/point/point.h"

#include <stdio.h>

/* One complete event on the track of a thread of a process. */
struct event {
    int64_t process, thread;
    const char *name;
    double begin, end; /* seconds, by the rank's clock */
    double start;      /* when the rank's trace began, by the same clock */
};

/* Prints an event; `more` is its other fields as JSON, after a comma, or "". */
void event_print(FILE *out, const struct event *e, const char *more);

/* Prints the name of a process, or of one of its threads: `what` is process_name or thread_name. */
void event_name(FILE *out, const char *what, int64_t process, int64_t thread, const char *name);

/* Gathers every rank's block of `bytes` on the root, in the order of ranks: *blocks, released by
 * free(). `fill` writes this rank's block into zeroed memory; status 4 if a rank lacks memory or
 * `fits` is false. Collective. */
enum status trace_gather(const struct point *p, bool fits, size_t bytes,
                         void (*fill)(void *block, const void *context), const void *context,
                         char **blocks, struct failure *f);

#endif
