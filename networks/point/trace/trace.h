/* The file of events: --trace, in the format that chrome://tracing and Perfetto show. Source:
 * "Trace Event Format" of the Chromium project. */
#ifndef MAXPOOL_NETWORK_TRACE_H
#define MAXPOOL_NETWORK_TRACE_H

#include "networks/point/network_run.h"

#include <stdio.h>

/* Of a training: its last step, as networks/point/trace/trace_training.h says. Else:
 * the last execution of each method, by the processes of one launch: a process of the trace is a
 * rank (of a method), a thread a worker, and messages under way have a track of their own. Within
 * "batch" lie "distribute", "compute" and "collect", and within compute the steps, each with the
 * share of them that the worker computed; under --roof the step's share of its roof is shown, in
 * this execution and by all workers of the rank. Seconds count from the moment when the rank began.
 *
 * Collective; the root writes, and closes the file. Status 5 where it cannot be written. */
enum status trace_write(FILE *file, const struct point *p, struct failure *f);

#endif
