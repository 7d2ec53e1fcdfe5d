/* `study speedup -- COMMAND` and `study speedup --csv FILE`: the speedup of a program of another,
 * measured here or elsewhere. */
#ifndef MAXPOOL_OWN_SPEEDUP_H
#define MAXPOOL_OWN_SPEEDUP_H

#include "experiments/plan/selection.h"
#include "experiments/program/own_definition.h"
#include "experiments/report/charts/plots.h"

/* Measures the program and shows figure, table and finding. Status 1 if an output was wrong, 2 for
 * bad options and a command that cannot be started, 4 if launches failed or are missing. */
enum status own_speedup(struct own_question *q, const struct selection *s, struct drawing *drawing,
                        struct failure *f);

/* Shows the same of the times in a file (program/times_file.h), in the folder results/times unless
 * --results names another. Status 2 for a file that cannot be read. */
enum status own_times(const char *csv, const struct own_question *q, const struct selection *s,
                      struct drawing *drawing, struct failure *f);

#endif
