/* Charts, drawn by gnuplot from the derived data. A script with nothing to show reports the reason
 * by `load plots."/lib/nothing.gp"`. */
#ifndef MAXPOOL_PLOTS_H
#define MAXPOOL_PLOTS_H

#include "experiments/analysis/inventory.h"

/* svg, png, pdf, which are "all", and tikz, which is drawn only if named. */
extern const char *const plot_formats[];
enum { PLOT_FORMATS = 4 };

/* Name of a chart of two columns that the user chose (custom_chart.h). */
extern const char plot_custom_chart[];

/* Path of a chart: R/charts/NAME.svg, or NAME-CHART.svg if the two names differ. */
struct plot_path {
    char text[PATH_MAX];
};
struct plot_path plot_path(const char *folder, const char *experiment, const char *chart,
                           const char *format);

/* Path of the same chart drawn for telephones: R/analysis/NAME.CHART.narrow.svg. */
struct plot_path plot_narrow_path(const char *folder, const char *experiment, const char *chart);

/* The user's settings for charts; zeros and NULL: defaults. */
struct chart_look {
    const char *title;
    double width_cm, height_cm; /* both or none */
    double font_pt;             /* of the numbers along the axes */
    const char *methods;        /* "a,b": only their rows of a selection are drawn; NULL: all */
    /* Behind the name of a figure of the user's: each combination of settings has a file of its
     * own. NULL: a chart of the page. */
    const char *variant;
    const char *file; /* of such a figure, if the user named it */
};

/* Path of a drawing with these settings: that of plot_path, or R/figures/NAME-CHART-VARIANT.svg. */
struct plot_path plot_path_of(const char *folder, const char *experiment, const char *chart,
                              const char *format, const struct chart_look *look);

/* Texts of a chart: the finding as its title, and the quantity below it; and the fewest places
 * along its axis, 0: drawn in any case. */
struct chart_words {
    char finding[160], quantity[160];
    int least_places;
    const struct chart_look *look; /* NULL: defaults */
    const struct form
        *form; /* that draws the selection; NULL: plots/CHART.gp, of R/analysis/NAME.points.csv */
    const struct selection *selection;
    const char *rows; /* its file */
};

enum plot_end {
    PLOT_DRAWN,
    PLOT_NOTHING,    /* no such chart, or nothing that it shows was measured */
    PLOT_FEW,        /* fewer places along its axis than required */
    PLOT_NO_GNUPLOT, /* the failure names the command that would draw it */
    PLOT_FAILED
};

/* Draws a chart of derived data already in R/analysis, completely or not at all; `why` explains
 * every result except PLOT_DRAWN. */
enum plot_end plot_draw(const char *folder, const char *experiment, const char *chart,
                        const struct chart_words *words, const char *format,
                        const struct language *language, struct failure *why);

/* How a format of a chart was drawn. */
struct plotted {
    enum plot_end end;
    struct failure why;
};

/* How the charts of a results folder are drawn. */
struct drawing {
    const char *formats; /* "all", "none" or some of plot_formats: "svg,pdf" */
    const struct language *language;
    int least_places; /* required of each chart; 0: all are drawn */
    bool no_gnuplot;  /* output: gnuplot was missing */
    struct chart_look look;
};

/* Status 2 for unknown formats, 3 for tikz if gnuplot cannot write it. `option` is the name of the
 * user's option. */
enum status drawing_check(const struct drawing *d, const char *option, struct failure *f);

/* True if plot_formats[format] is wanted. */
bool drawing_wants(const struct drawing *d, size_t format);

/* Writes the derived data of an experiment and draws its charts. Failures are noted as gaps, and a
 * chart that was not drawn is removed in the formats asked for, if an earlier run left one with
 * these settings. Without gnuplot there are no
 * charts, which is reported once and is no failure. */
void plots_make(struct drawing *d, const struct experiment *e, struct inventory *in);

/* The two halves of plots_make: plots_derive writes the derived data, true on success; plots_chart
 * draws one chart in all wanted formats, true if any was drawn. */
bool plots_derive(const struct drawing *d, const struct experiment *e, struct inventory *in);
bool plots_chart(struct drawing *d, const struct experiment *e, struct inventory *in,
                 const char *chart);

/* A chart in all wanted formats. */
struct plotted_chart {
    const struct experiment *experiment;
    const char *chart;
    bool done;         /* output: plots_draw tried it */
    bool refused;      /* output: its claim has no answer ... */
    char refusal[160]; /* ... and why */
    size_t count;      /* output: formats that gnuplot was asked for */
    struct plotted formats[PLOT_FORMATS];
};

/* The two halves of plots_chart: plots_draw draws several charts at the same time; plots_note notes
 * what was not drawn, in the order of its calls. */
void plots_draw(struct drawing *d, struct inventory *in, struct plotted_chart *const *charts,
                size_t count);
bool plots_note(struct drawing *d, struct inventory *in, const struct plotted_chart *chart);

/* Removes the drawings of an earlier run in the formats that `d` names. */
void plots_remove(const struct drawing *d, const struct experiment *e, const struct inventory *in,
                  const char *chart);

#endif
