/* What commands that measure say before and after. */
#ifndef MAXPOOL_RUN_WORDS_H
#define MAXPOOL_RUN_WORDS_H

#include "experiments/run/runner.h"

/* More workers than cores is measured as asked, and said before it begins. */
void run_print_sharing(const struct plan *plan);

/* Launches done, failed and missing, in one line. */
void run_print_summary(const struct run_summary *s, const char *results, double seconds);

/* Status 1 where a result was wrong, 4 where launches failed or are missing. */
enum status run_outcome(const struct run_summary *s, const char *results, struct failure *f);

#endif
