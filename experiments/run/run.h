/* A run under way: what runner.c and attempt.c share. */
#ifndef MAXPOOL_RUN_H
#define MAXPOOL_RUN_H

#include "experiments/common/progress.h"
#include "experiments/run/ledger.h"
#include "experiments/run/remaining.h"
#include "experiments/run/runner.h"
#include "experiments/run/shared_samples.h"
#include "experiments/run/start_times.h"

struct run {
    struct plan *plan;
    const struct run_settings *settings;
    struct run_summary *summary;
    struct ledger ledger;
    struct homes homes;
    struct table_writer **journals; /* one of each definition */
    struct starts starts;
    struct progress progress;
    struct estimate_error estimate_error;
    double began;
    bool measuring;  /* something was run */
    size_t *scratch; /* room for all points of the plan */
    struct failure *failure;
};

/* Points of one group that one process measures, in one round. */
struct task {
    size_t *points; /* indices in the plan's points */
    size_t count;
    int64_t round;
    bool extra; /* beyond the plan, by the budget */
};

/* Runs a task, and again what a signal killed or a fellow point took down with it. What fails is
 * journalled; status 5 where samples can no longer be written. */
enum status task_run(struct run *r, const struct task *task);

/* Journals that a point is left out, and why. */
enum status journal_left_out(struct run *r, size_t point);

/* Journals a launch that was not run for its experiment, but is done: `why`. */
enum status journal_adoption(struct run *r, size_t point, int64_t round, const char *why);

#endif
