/* The kind of selection that most charts are: points over a column of NAME.points.csv. */
#ifndef MAXPOOL_SELECTION_COLUMNS_H
#define MAXPOOL_SELECTION_COLUMNS_H

#include "experiments/analysis/selections/selection.h"

enum { COLUMNS_PANELS = 3 };

/* Conditions are words of which each must hold: `column`, not empty; `column=text` or
 * `column=other`, as another column; `!` before either, the opposite. "": all points. */
struct columns_panel {
    const char *x, *y;  /* columns with numbers */
    const char *where;  /* which points it shows */
    const char *series; /* "%{method} k=%{kernel}", of columns */
    bool counted;       /* y is a count: it was not measured, and has no trust */
};

struct columns {
    struct columns_panel panels[COLUMNS_PANELS];
    const char *dashed;                        /* which points have a dashed line; NULL: none */
    unsigned (*colour)(const struct point *p); /* NULL: that of its method */
    role_function *name_roles;
};

selection_function select_columns;

/* Names `least` and `most`, the usable points of the first panel with the smallest and the largest
 * y, and lists both: the finding of a chart that has no other. */
role_function columns_name_ends;

#endif
