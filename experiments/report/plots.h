/* Charts, drawn by gnuplot from the derived data. A script that finds nothing to show says why by
 * `load plots."/nothing.gp"`. */
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

/* What a chart says: the finding as its title, and what is drawn below it; and the fewest places
 * along its axis that make it a chart, 0 where it is drawn in any case. */
struct chart_words {
    char finding[160], quantity[160];
    int least_places;
};

enum plot_end {
    PLOT_DRAWN,
    PLOT_NOTHING,    /* no such chart, or nothing of what it shows was measured */
    PLOT_FEW,        /* fewer places along its axis than asked for */
    PLOT_NO_GNUPLOT, /* the failure tells the command that would draw it */
    PLOT_FAILED
};

/* Draws a chart of derived data already in R/analysis, whole or not at all; `why` tells of all ends
 * but the first. */
enum plot_end plot_draw(const char *folder, const char *experiment, const char *chart,
                        const struct chart_words *words, const char *format, enum language language,
                        struct failure *why);

/* How the charts of a results folder are drawn. */
struct drawing {
    const char *formats; /* "all", "none" or one of plot_formats */
    enum language language;
    int least_places; /* of each chart; 0: whatever is asked for is drawn */
    bool no_gnuplot;  /* as turned out */
};

/* Status 2 for other formats. */
enum status drawing_check(const struct drawing *d, struct failure *f);

/* Writes the derived data of an experiment and draws its charts. What could not be written or drawn
 * stands among the gaps, and no chart of an earlier run is left in its place. Without gnuplot
 * there are no charts, which is told once and no failure. */
void plots_make(struct drawing *d, const struct experiment *e, struct inventory *in);

/* Its two halves: the derived data, true where they are there; and one chart of them, in all
 * formats that are wanted, true where it was drawn in any. */
bool plots_derive(const struct experiment *e, struct inventory *in);
bool plots_chart(struct drawing *d, const struct experiment *e, struct inventory *in,
                 const char *chart);

/* Removes what an earlier run drew. */
void plots_remove(const struct experiment *e, const struct inventory *in, const char *chart);

#endif
