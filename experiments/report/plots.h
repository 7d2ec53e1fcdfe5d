/* Charts, drawn by gnuplot from the derived data. */
#ifndef MAXPOOL_PLOTS_H
#define MAXPOOL_PLOTS_H

#include "experiments/analysis/inventory.h"

extern const char *const plot_formats[]; /* svg, png, pdf */
enum { PLOT_FORMATS = 3 };

/* Path of a chart: R/charts/NAME.svg, or NAME-CHART.svg where they differ. */
struct plot_path {
    char text[PATH_MAX];
};
struct plot_path plot_path(const char *folder, const char *experiment, const char *chart,
                           const char *format);

/* Draws a chart of derived data already in R/analysis. Status 3 where gnuplot or the chart's script
 * is missing; the message tells the command that draws it. */
enum status plot_draw(const char *folder, const char *experiment, const char *chart,
                      const char *format, enum language language, struct failure *f);

#endif
