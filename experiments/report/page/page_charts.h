/* Which charts a page shows. A quick study is read in minutes: ten charts at most, the speedup
 * figure first, then one for each section, then those that follow in the order of the page. A chart
 * with fewer than three values along its axis is none of a page: its sentence and its table say as
 * much. `study plot` draws any. */
#ifndef MAXPOOL_PAGE_CHARTS_H
#define MAXPOOL_PAGE_CHARTS_H

#include "experiments/report/charts/plots.h"
#include "experiments/report/report_data.h"

enum { QUICK_CHARTS = 10, PAGE_PLACES = 3 };

/* Derives the data of every experiment and draws the charts of the page. What is left out stands
 * among the gaps, with the command that draws it. */
void page_charts_draw(struct drawing *d, struct report_data *s);

#endif
