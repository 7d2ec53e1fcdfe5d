/* The kind of selection that most charts are: points over a column of NAME.points.csv. */
#ifndef MAXPOOL_SELECTION_COLUMNS_H
#define MAXPOOL_SELECTION_COLUMNS_H

#include "experiments/analysis/selections/selection.h"

enum { COLUMNS_PANELS = 3, COLUMNS_PARTS = 6 };

/* Points are those that meet all words of a text, "" all points. A word is a condition, or several
 * with `|` between them, of which one must hold: `column`, not empty; `column=text` or
 * `column=other`, as another column; `column:text`, which it contains; `column>1`; `column^` and
 * `column<`, the largest and the smallest number of the points that meet the words before, and
 * `column~`, that of most of them; `!` before any, the opposite. A series is a text with places:
 * %{method} is a column, [words?text] a text that is said where the words hold, and [*column?text]
 * one that is said if the points of the panel differ in the column. */
struct columns_panel {
    const char *x, *y;  /* columns with numbers */
    const char *where;  /* which points it shows */
    const char *series; /* "%{method} k=%{kernel}", a message id if it has words */
    bool counted;       /* y is a count: it was not measured, and has no trust */
};

/* A point as a stacked bar. */
struct columns_bar {
    const char *label; /* a series: its name, a message id */
    bool shares;       /* lengths are in percent of total_s, not in seconds */
    struct {
        const char *column; /* of NAME.points.csv; NULL: what the parts before leave of total_s */
        const char *name;   /* a message id; NULL: no part */
        unsigned colour;
    } parts[COLUMNS_PARTS]; /* from the left */
};

struct columns {
    struct columns_panel panels[COLUMNS_PANELS];
    const char *panel;                         /* a series: the only panel is repeated for each, its
                                                  title, a message id; NULL: it is not. Bars
                                                  have panels with these titles */
    const struct columns_bar *bar;             /* how the points are drawn; NULL:
                                                  as marks */
    const char *dashed;                        /* words: which have a dashed line; NULL: none */
    const char *mark;                          /* a series: the meaning of a mark; NULL: none */
    const char *group, *order;                 /* a series, whose points are together, in the order
                                                  of a column; NULL: in the order of the points */
    bool by_row;                               /* rows are in the order of the least value of the
                                                  column in each, and their points as they are */
    unsigned (*colour)(const struct point *p); /* NULL: that of its method */
    bool colour_by_series;                     /* instead */
    void (*convert)(struct selection_row *);   /* of y and its interval; NULL: none */
    role_function *name_roles;
};

/* The rungs of the ladder: pooling methods of one serial worker. */
#define LADDER_POINTS "space=serial !isa_limit rung operator=maxpool"

/* The methods of one serial worker on each shape, without those that measure epilogues. */
#define SHAPE_POINTS  "space=serial !isa_limit rung !label:residual="
#define SHAPE_GROUP   "%{planes} %{rows} %{cols} %{kernel} %{stride} %{gradient}"
#define SHAPE_ROW                                                                                  \
    N_("%{method}: [kernel?%{planes} × ]%{rows} × %{cols}[kernel?, k = %{kernel}]"               \
       "[operator=conv stride>1?, s = %{stride}][gradient=image?, ∂ image]"                      \
       "[gradient=weights?, ∂ weights]")

/* The meaning of a mark, if marks are numbers of workers. */
#define COLUMNS_WORKERS N_("[!workers?GPU][workers=1?1 worker][workers>1?%{workers} workers]")

selection_function select_columns;

/* Adds the parts of a point's bar: y is the length, the label names the bar, the series the part.
 */
void columns_draw_bar(const struct analysis *a, const struct point *p,
                      const struct columns_bar *bar, const struct language *l,
                      struct selection *out);

/* Names `least` and `most`, the usable points of the first panel with the smallest and the largest
 * y, and lists both: the finding of a chart that has no other. */
role_function columns_name_ends;

#endif
