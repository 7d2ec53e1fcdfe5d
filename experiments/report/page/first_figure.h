/* The speedup figure that the page begins with. */
#ifndef MAXPOOL_FIRST_FIGURE_H
#define MAXPOOL_FIRST_FIGURE_H

#include "experiments/report/report.h"

struct first_figure {
    const struct experiment *experiment; /* NULL: nothing of several workers was measured */
    const char *chart;
};

/* Of the experiments that draw it the one that says most: with the share of the product, then with
 * several workers, then on the most worker counts. */
struct first_figure first_figure_find(const struct report_data *s);

/* Its sentence and its chart; nothing where there is none. */
void first_figure_write(const struct part *p);

#endif
