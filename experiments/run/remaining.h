/* The remaining time of a run, from the estimates of the plan and from how well they have predicted
 * so far. */
#ifndef MAXPOOL_REMAINING_H
#define MAXPOOL_REMAINING_H

/* What was run: the seconds that the plan estimated for it, and those that it took. */
struct estimate_error {
    double estimated_s, taken_s;
};

void estimate_error_add(struct estimate_error *p, double estimated_s, double taken_s);

/* Seconds taken per second estimated. It begins at 1 and follows what was measured as soon as that
 * exceeds a few seconds, so that one short launch cannot upset the estimate. */
double estimate_error_ratio(const struct estimate_error *p);

/* Seconds until the run ends. `planned_s`: the estimate of the launches that are missing;
 * `elapsed_s`: since the run began. A budget (budget_s > 0) ends the run; without one, what the
 * plan leaves of `extra_until_s` (0: nothing) is spent on wide intervals. */
double remaining_seconds(const struct estimate_error *p, double planned_s, double elapsed_s,
                         double budget_s, double extra_until_s);

#endif
