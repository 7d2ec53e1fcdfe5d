/* Measures a program of another on several worker counts: launches in interleaved rounds, each in a
 * random order, until each worker count has its launches; then further rounds in the time that a
 * budget leaves, as for our own programs (experiments/run/runner.h). Samples and journal are
 * written after each launch, and the same question continues them. */
#ifndef MAXPOOL_OWN_STUDY_H
#define MAXPOOL_OWN_STUDY_H

#include "experiments/program/own_definition.h"
#include "experiments/run/runner.h"

/* Measures what is missing of the definition `name` in the folder of results. Shows the first
 * launch that fails or is wrong on stderr, with its output; its worker count is then measured no
 * further. Status 2 if the command cannot be started or --prepare fails, 4 if another run uses the
 * folder, 5 if it cannot be written. */
/* With q->overhead it then measures the start of every worker count, and prints it. */
enum status own_study_run(const struct own_question *q, const char *results, const char *name,
                          int64_t cores, struct run_summary *summary, struct failure *f);

#endif
