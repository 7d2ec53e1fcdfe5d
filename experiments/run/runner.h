/* Runs the missing launches of a plan: rounds over all groups of points in random order, each
 * process under a time limit and journalled. Then, if time is left, as many further rounds as fit,
 * those of headline experiments first. The number of further rounds does not depend on the measured
 * values. */
#ifndef MAXPOOL_RUNNER_H
#define MAXPOOL_RUNNER_H

#include "experiments/plan/plan.h"

struct run_settings {
    const char *results;
    int64_t seed;           /* of the order */
    double budget_s;        /* of the whole run; 0: none, every planned launch is run once */
    double further_until_s; /* if there is no budget: further rounds end before this time; 0: there
                             * are none */
    double time_limit_s;    /* of one point's launch; 0: that of the definition */
    bool retry_failed;
    const bool
        *again; /* per point of the plan: measured afresh, with its whole group; NULL: none */
};

/* A launch belongs to one point: a process that measures five points counts as five launches. */
struct run_summary {
    size_t again;               /* points of which a new set was begun */
    size_t resumed;             /* ... or of which one that was begun before was gone on with */
    size_t planned;             /* launches in the plan */
    size_t before;              /* done before this run */
    size_t shared;              /* done before this run, for another experiment */
    size_t done, failed, extra; /* in this run; extra: beyond the plan */
    size_t failed_in_all;       /* of the plan, in this run and earlier ones */
    size_t missing;             /* of the plan, after this run, without failed ones */
    size_t skipped;             /* points left out */
    bool wrong;                 /* a result was wrong */
    bool out_of_budget;
    int stop_signal; /* 0: no signal asked to stop */
};

/* Runs the plan. Before any time is spent, locks and prepares the folder of results: status 4 if
 * another run uses it, 5 if it cannot be written. Failed launches are journalled and do not end the
 * run. */
enum status run_plan(struct plan *plan, const struct run_settings *settings,
                     struct run_summary *summary, struct failure *f);

#endif
