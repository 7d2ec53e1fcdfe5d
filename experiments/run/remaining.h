/* The remaining time of a run, from the estimates of the plan and their error so far. */
#ifndef MAXPOOL_REMAINING_H
#define MAXPOOL_REMAINING_H

/* Seconds of the finished launches: estimated by the plan, and actually taken. */
struct estimate_error {
    double estimated_s, taken_s;
};

void estimate_error_add(struct estimate_error *p, double estimated_s, double taken_s);

/* Returns seconds taken per second estimated. The ratio begins at 1 and follows the measurements
 * once these exceed a few seconds, so that one short launch cannot distort the estimate. */
double estimate_error_ratio(const struct estimate_error *p);

/* Returns the seconds until the run ends. `planned_s`: the estimate for the missing launches;
 * `elapsed_s`: since the run began. A budget (budget_s > 0) ends the run. Without one, the time
 * that the plan leaves of `extra_until_s` (0: nothing) is spent on further rounds. */
double remaining_seconds(const struct estimate_error *p, double planned_s, double elapsed_s,
                         double budget_s, double extra_until_s);

#endif
