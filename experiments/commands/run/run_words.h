/* Messages of the commands that measure, before and after the measurement. */
#ifndef MAXPOOL_RUN_WORDS_H
#define MAXPOOL_RUN_WORDS_H

#include "experiments/run/runner.h"

/* Warns, before the measurement, of points with more workers than cores; they are measured
 * nevertheless. */
void run_print_sharing(const struct plan *plan);

/* Prints the launches done, failed and missing in one line. */
void run_print_summary(const struct run_summary *s, const char *results, double seconds);

/* Status 1 if a result was wrong, 4 if launches failed or are missing. */
enum status run_outcome(const struct run_summary *s, const char *results, struct failure *f);

#endif
