/* The contents of the charts that were drawn for an experiment, read from the chart files
 * themselves. */
#ifndef MAXPOOL_CHARTS_CHART_CONTENTS_H
#define MAXPOOL_CHARTS_CHART_CONTENTS_H

#include "experiments/analysis/trust/measurement_rules.h"
#include "experiments/report/charts/plots.h"

/* Looks at the SVG charts of an experiment in R/charts. */
struct chart_contents chart_contents_read(const struct experiment *e, const char *folder);

/* What is wrong with the chart in a file; NULL: nothing. It must end where a drawing ends, show
 * data (a mark, a line or a bar beside the axes), and have as many texts as a title, an axis label
 * and the numbers at two axes take. */
const char *chart_fault(const char *path);

#endif
