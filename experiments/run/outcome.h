/* The outcome of a launch of a point: a status for the journal, and the reason. */
#ifndef MAXPOOL_OUTCOME_H
#define MAXPOOL_OUTCOME_H

#include "experiments/common/process.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/samples.h"

/* The samples of a point that a process left. */
struct launch_rows {
    size_t samples; /* warm-ups are not among them */
    bool wrong, finished;
};

/* Those of one point and round among fresh samples; *launch is the launch, NULL where none. */
struct launch_rows outcome_rows(const struct samples *fresh, const struct record *point,
                                int64_t round, const struct launch **launch);

/* One of the journal's statuses: done, failed, timeout, skipped, interrupted. Done is what has all
 * its samples, whatever became of the process after them. */
const char *outcome_classify(const struct process_result *result, const struct launch_rows *seen,
                             char reason[JOURNAL_TEXT]);

/* True for a process that a signal ended which this study did not send. */
bool outcome_killed(const struct process_result *result);

#endif
