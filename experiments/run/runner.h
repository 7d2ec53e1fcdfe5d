/* Runs what is missing of a plan: rounds over all points in random order, each launch under a time
 * limit, journalled; then, where there is a budget left, more launches where intervals are widest.
 */
#ifndef MAXPOOL_RUNNER_H
#define MAXPOOL_RUNNER_H

#include "experiments/plan/plan.h"

struct run_settings {
    const char *results;
    int64_t seed;        /* of the order */
    double budget_s;     /* of the whole run; 0: none, every planned launch is run once */
    double time_limit_s; /* of one launch; 0: as the definition says */
    bool retry_failed;
};

struct run_summary {
    size_t planned;             /* launches in the plan */
    size_t before;              /* of them done or failed before this run */
    size_t done, failed, extra; /* in this run; extra: beyond the plan, by the budget */
    size_t skipped;             /* points left out */
    bool wrong;                 /* a result was wrong */
    bool out_of_budget;
    int stop_signal; /* 0: not asked to stop */
};

/* The results folder is locked and made ready first: status 4 where another run has it, 5 where it
 * cannot be written, before any time is spent. Failing launches are journalled and do not end it.
 */
enum status run_plan(struct plan *plan, const struct run_settings *settings,
                     struct run_summary *summary, struct failure *f);

#endif
