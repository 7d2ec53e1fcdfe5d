/* Which charts a page shows. A quick study is read in minutes: it has at most thirteen charts, the
 * speedup figure first, then one for each section, then the others in page order. A page shows no
 * chart with fewer than three values along its axis, because its sentence and its table say as
 * much. `study plot` draws any chart. */
#ifndef MAXPOOL_PAGE_CHARTS_H
#define MAXPOOL_PAGE_CHARTS_H

#include "experiments/report/charts/plots.h"
#include "experiments/report/report_data.h"

enum { QUICK_CHARTS = 13, PAGE_PLACES = 3 };

/* Derives the data of every experiment and draws the charts of the page. Charts that are left out
 * are noted as gaps, with the command that draws them. */
void page_charts_draw(struct drawing *d, struct report_data *s);

#endif
