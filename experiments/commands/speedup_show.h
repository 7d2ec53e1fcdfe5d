/* Shows the speedup figure of one experiment: table, answer and chart. */
#ifndef MAXPOOL_SPEEDUP_SHOW_H
#define MAXPOOL_SPEEDUP_SHOW_H

#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/report/charts/plots.h"

/* Prints the table and the answer of the experiment's first chart, draws that chart into R/charts
 * and prints the paths of the files. */
enum status speedup_show(const char *results, char *name, struct drawing *drawing, bool weak,
                         struct failure *f);

/* Does the same for the first chart of an experiment, without the table. */
enum status chart_show(const char *results, char *name, struct drawing *drawing, struct failure *f);

/* The caption of an experiment's table for LaTeX. */
enum { SPEEDUP_CAPTION = 1400 };
void speedup_caption(const struct experiment *e, const struct speedup_figure *figure, bool weak,
                     const struct language *l, char *caption, size_t size);

#endif
