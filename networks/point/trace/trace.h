/* The file of events: --trace, in the format that chrome://tracing and Perfetto show. Source:
 * "Trace Event Format" of the Chromium project. */
#ifndef MAXPOOL_NETWORK_TRACE_H
#define MAXPOOL_NETWORK_TRACE_H

#include "networks/point/network_run.h"

#include <stdio.h>

/* Writes the trace of a training's last step (networks/point/trace/trace_training.h), or else of
 * the last execution of each method, by the processes of one launch. A process of the trace is a
 * rank (of a method), a thread is a worker, and messages under way have a separate track. "batch"
 * contains "distribute", "compute" and "collect", and "compute" contains the steps, each with the
 * share that the worker computed. With --roof, the step's share of its roof is shown, for this
 * execution and all workers of the rank. Seconds count from the moment when the rank began.
 *
 * Collective; the root writes, and closes the file. Status 5 if it cannot be written. */
enum status trace_write(FILE *file, const struct point *p, struct failure *f);

#endif
