/* Forms draw the rows of a selection and choose none: plots/forms/form_NAME.gp. A chart says only
 * what its axes are; if the selection has rows with the role `panel`, the first panel is repeated
 * for each of them, with its label as title. */
#ifndef MAXPOOL_CHARTS_FORM_H
#define MAXPOOL_CHARTS_FORM_H

#include "experiments/analysis/selections/selection.h"
#include "experiments/report/charts/settings.h"

enum axis { AXIS_LINEAR, AXIS_LOG, AXIS_DECADES, AXIS_BYTES /* logarithmic, in KiB, MiB ... */ };

/* Texts are message ids, which may have places of the selection (claims/template.h). */
struct panel {
    const char *title, *x_title, *y_title; /* NULL: none */
    const char *y_format;                  /* gnuplot's: "%.0s %cs" for seconds */
    enum axis x_axis, y_axis;
    double guide;                 /* a dotted line of x to this power; 0: none */
    const char *rule, *rule_text; /* a role whose y is a horizontal line; NULL: none */
    double level;                 /* where a line is; 0: none, NAN: at zero */
};

/* clang-format off */
/* A panel with both axes logarithmic: title, x_title, y_title, y_format. */
#define LOG_PANEL(...) {__VA_ARGS__, AXIS_LOG, AXIS_LOG, .guide = 0.0}

/* The panels of windows apart and of overlapping ones over k: y_title, and other fields. */
#define OVER_KERNEL(of, title, ...)                                                                \
    {of, N_("k, side of the window (elements)"), title, "%g", AXIS_LOG, AXIS_LOG, __VA_ARGS__}
#define APART_AND_OVERLAPPING(...)                                                                 \
    OVER_KERNEL(N_("s = k: windows apart"), __VA_ARGS__), OVER_KERNEL(N_("s = 1: windows overlap"), __VA_ARGS__)

/* A form of one panel alone: its name, and the panel's fields. */
#define FORM(form_name, ...) {.name = form_name, .panels = {{__VA_ARGS__}}}
/* clang-format on */

enum { FORM_PANELS = 3 };

struct form {
    /* Of plots/forms/form_NAME.gp: "lines"; "scatter"; "grid"; "matrix"; "bars"; "speedup";
     * "machines"; "dots", of which the first panel says all: x is the value. */
    const char *name;
    struct panel panels[FORM_PANELS];
    bool own_y;     /* each panel has a y axis of its own */
    double y_top;   /* which the y axes contain; 0: any */
    double band;    /* gray between -band and band; 0: none */
    bool joins_two; /* lines join two places, and not only three */
};

/* Adds what the script needs besides the rows. */
void form_add(struct settings *settings, const struct form *form, const struct selection *s,
              const struct language *l);

#endif
