/* The speedup figure at the top of the page. */
#ifndef MAXPOOL_FIRST_FIGURE_H
#define MAXPOOL_FIRST_FIGURE_H

#include "experiments/report/report.h"

struct first_figure {
    const struct experiment *experiment; /* NULL: no point of several workers was measured */
    const char *chart;
};

/* Of the experiments that draw it, chooses the one that shows most: first with the share of the
 * product, then with several workers, then with the most worker counts. */
struct first_figure first_figure_find(const struct report_data *s);

/* Whether that chart is the figure at the top. */
bool first_figure_is(const struct part *p, const struct experiment *e, const char *chart);

/* Writes a link to the page that has it, where there are pages. */
void first_figure_link(const struct part *p);

/* Writes its sentence and its chart; nothing if there is none. */
void first_figure_write(const struct part *p);

#endif
