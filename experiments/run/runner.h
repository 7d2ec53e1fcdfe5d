/* Runs what is missing of a plan: rounds over all groups of points in random order, each process
 * under a time limit, journalled; then, where time is left, further rounds, as many as fit: those
 * of headline experiments first. Their number does not depend on what was measured.
 */
#ifndef MAXPOOL_RUNNER_H
#define MAXPOOL_RUNNER_H

#include "experiments/plan/plan.h"

struct run_settings {
    const char *results;
    int64_t seed;           /* of the order */
    double budget_s;        /* of the whole run; 0: none, every planned launch is run once */
    double further_until_s; /* where no budget is given: further rounds end before then; 0: there
                               are none */
    double time_limit_s;    /* of one point's launch; 0: as the definition says */
    bool retry_failed;
};

/* Launches are of points: a process that measures five points is five launches. */
struct run_summary {
    size_t planned;             /* in the plan */
    size_t before;              /* of them done before this run */
    size_t shared;              /* of them done by another experiment before this run */
    size_t done, failed, extra; /* in this run; extra: beyond the plan, by the budget */
    size_t failed_in_all;       /* of the plan, in this run and before */
    size_t missing;             /* of the plan, after this run, failed ones not among them */
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
