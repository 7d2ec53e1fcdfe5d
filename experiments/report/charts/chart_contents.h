/* The contents of an experiment's charts, read from the chart files themselves. */
#ifndef MAXPOOL_CHARTS_CHART_CONTENTS_H
#define MAXPOOL_CHARTS_CHART_CONTENTS_H

#include "experiments/analysis/trust/measurement_rules.h"
#include "experiments/report/charts/plots.h"

/* Examines the SVG charts of an experiment in R/charts. */
struct chart_contents chart_contents_read(const struct experiment *e, const char *folder);

/* Returns the fault of the chart in a file; NULL: none. The file must have the end of a drawing,
 * show data (a mark, a line or a bar besides the axes), and contain at least as many texts as a
 * title, an axis label and the numbers at two axes. */
const char *chart_fault(const char *path);

#endif
