/* The outcome of a launch of a point: a status for the journal, and the reason. */
#ifndef MAXPOOL_OUTCOME_H
#define MAXPOOL_OUTCOME_H

#include "experiments/common/process.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/samples.h"

/* The samples that a process recorded for a point. */
struct launch_rows {
    size_t samples; /* without warm-ups */
    bool wrong, finished;
};

/* Summarises the samples of one point and round; *launch: the launch, NULL if there is none. */
struct launch_rows outcome_rows(const struct samples *fresh, const struct record *point,
                                int64_t round, const struct launch **launch);

/* Whether a result was wrong: by a row, or by the exit status of a program that found it before it
 * had a row. `direct`: the process is that program, for this point alone; launchers end with this
 * status, too, when they cannot start anything. */
bool outcome_wrong(const struct process_result *result, const struct launch_rows *seen,
                   bool direct);

/* Returns a status of the journal: done, failed, timeout, skipped, interrupted. A launch with all
 * its samples is done, however the process ended afterwards. */
const char *outcome_classify(const struct process_result *result, const struct launch_rows *seen,
                             char reason[JOURNAL_TEXT]);

/* True if the process was ended by a signal that this study did not send. */
bool outcome_killed(const struct process_result *result);

#endif
