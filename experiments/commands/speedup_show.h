/* The speedup figure of one experiment for a reader: table, answer and chart. */
#ifndef MAXPOOL_SPEEDUP_SHOW_H
#define MAXPOOL_SPEEDUP_SHOW_H

#include "experiments/report/charts/plots.h"

/* Prints the table and the answer of the experiment's first chart, draws it into R/charts and
 * prints the paths of what was drawn. */
enum status speedup_show(const char *results, char *name, struct drawing *drawing, bool weak,
                         struct failure *f);

/* Draws the first chart of an experiment, and prints its answer and the paths of what was drawn. */
enum status chart_show(const char *results, char *name, struct drawing *drawing, struct failure *f);

#endif
