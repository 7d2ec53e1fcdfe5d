/* Charts, drawn by gnuplot from the derived data. A script that finds nothing to show says why by
 * `load plots."/lib/nothing.gp"`. */
#ifndef MAXPOOL_PLOTS_H
#define MAXPOOL_PLOTS_H

#include "experiments/analysis/inventory.h"

/* svg, png, pdf, which are "all", and tikz, which is drawn where it is named. */
extern const char *const plot_formats[];
enum { PLOT_FORMATS = 4 };

/* The chart of two columns that the user chose (custom_chart.h). */
extern const char plot_custom_chart[];

/* Path of a chart: R/charts/NAME.svg, or NAME-CHART.svg where they differ. */
struct plot_path {
    char text[PATH_MAX];
};
struct plot_path plot_path(const char *folder, const char *experiment, const char *chart,
                           const char *format);

/* How the user wants charts; zeros and NULL: as usual. */
struct chart_look {
    const char *title;
    double width_cm, height_cm;  /* both or none */
    double font_pt;              /* of the numbers along the axes */
    const char *points;          /* "KIND": R/analysis/NAME.KIND.csv instead of .points.csv */
    char x_name[80], y_name[80]; /* of the axes of plot_custom_chart */
};

/* What a chart says: the finding as its title, and what is drawn below it; and the fewest places
 * along its axis that make it a chart, 0 where it is drawn in any case. */
struct chart_words {
    char finding[160], quantity[160];
    int least_places;
    const struct chart_look *look; /* NULL: as usual */
};

enum plot_end {
    PLOT_DRAWN,
    PLOT_NOTHING,    /* no such chart, or nothing of what it shows was measured */
    PLOT_FEW,        /* fewer places along its axis than asked for */
    PLOT_NO_GNUPLOT, /* the failure names the command that would draw it */
    PLOT_FAILED
};

/* Draws a chart of derived data already in R/analysis, whole or not at all; `why` names all ends
 * but the first. */
enum plot_end plot_draw(const char *folder, const char *experiment, const char *chart,
                        const struct chart_words *words, const char *format,
                        const struct language *language, struct failure *why);

/* How the charts of a results folder are drawn. */
struct drawing {
    const char *formats; /* "all", "none" or some of plot_formats: "svg,pdf" */
    const struct language *language;
    int least_places; /* of each chart; 0: whatever is asked for is drawn */
    bool no_gnuplot;  /* as turned out */
    struct chart_look look;
};

/* Status 2 for other formats, 3 where one is tikz and gnuplot cannot write it. `option` is what the
 * user gave. */
enum status drawing_check(const struct drawing *d, const char *option, struct failure *f);

/* True where plot_formats[format] is to be drawn. */
bool drawing_wants(const struct drawing *d, size_t format);

/* Writes the derived data of an experiment and draws its charts. What could not be written or drawn
 * stands among the gaps, and no chart of an earlier run is left in its place. Without gnuplot
 * there are no charts, which is reported once and no failure. */
void plots_make(struct drawing *d, const struct experiment *e, struct inventory *in);

/* Its two halves: the derived data, true where they are there; and one chart of them, in all
 * formats that are wanted, true where it was drawn in any. */
bool plots_derive(const struct experiment *e, struct inventory *in);
bool plots_chart(struct drawing *d, const struct experiment *e, struct inventory *in,
                 const char *chart);

/* Removes what an earlier run drew. */
void plots_remove(const struct experiment *e, const struct inventory *in, const char *chart);

#endif
