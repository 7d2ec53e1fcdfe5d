/* How portable the speed of each method is over the machines of a page: Pennycook's metric
 * (experiments/analysis/portability.h) as a table, and the cascade of efficiencies as a chart.
 * Source of the chart: Sewall, Pennycook, Jacobsen, Deakin and McIntosh-Smith, "Interpreting and
 * visualizing performance portability metrics", P3HPC 2020. */
#ifndef MAXPOOL_REPORT_PORTABILITY_H
#define MAXPOOL_REPORT_PORTABILITY_H

#include "experiments/report/charts/form.h"
#include "experiments/report/page/machines.h"

/* The place of the section on the page, and in the name of its chart's data. */
extern const char portability_place[];

/* Selects, for each method, its machines from the best to the worst: the efficiency on each, and
 * the metric over as many. No rows if there are no two methods of one problem on two machines. */
void portability_select(const struct machines *m, struct selection *out);
extern const struct form portability_form;

/* Its title, for the contents; NULL if there is nothing to compare. */
const char *portability_title(const struct machines *m, const struct language *l);

/* "fused is the most portable of 4 methods on 3 machines"; false if there is nothing to compare. */
bool portability_finding(const struct machines *m, const struct language *l, char *text,
                         size_t size);

/* Writes the section; nothing if there is nothing to compare. */
void portability_write(const struct report_format *format, const struct document *d,
                       const struct machines *m);

#endif
