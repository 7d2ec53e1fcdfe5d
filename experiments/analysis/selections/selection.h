/* A selection: which points a finding is about, decided once. Its rows are
 * R/analysis/NAME.CHART.csv. A chart draws the rows without a role, and chooses none; a sentence
 * names the rows with a role; the table beside it lists the points that the selection lists; tests
 * check the rows. */
#ifndef MAXPOOL_SELECTION_H
#define MAXPOOL_SELECTION_H

#include "experiments/analysis/selections/evidence.h"

/* What y is, which decides how it is written. */
enum quantity {
    QUANTITY_NONE,
    QUANTITY_TOTAL,         /* seconds; of one point: its total time */
    QUANTITY_COMPUTE,       /* seconds; of one point: its compute time */
    QUANTITY_TOTAL_RATIO,   /* total time of `of` / that of `against` */
    QUANTITY_COMPUTE_RATIO, /* the same of compute times */
    QUANTITY_IMAGE,         /* seconds; total time of one image of the point's batch */
    QUANTITY_IMAGE_RATIO,   /* the ratio of these times */
    QUANTITY_NUMBER,        /* any other number: an exponent, a share, a rate */
    QUANTITIES
};

enum { SELECTION_SERIES = 192, SELECTION_LABEL = 320 }; /* bytes */

/* A series whose name does not fit ends in a hash of the whole, a label in "...". */
struct selection_row {
    const char *role;              /* as sentences name it; NULL: drawn */
    size_t panel;                  /* of the chart, from 1 */
    char series[SELECTION_SERIES]; /* the line or row of the chart that it is on */
    size_t place;                  /* number of the series, from 1 */
    unsigned colour, dash;         /* 0xRRGGBB; 1 solid, 2 dashed */
    double x, y;                   /* NaN: none */
    struct interval ends;          /* of y; NaN: none */
    enum quantity quantity;        /* of y */
    char label[SELECTION_LABEL];   /* its words in a sentence, or the meaning of its mark */
    struct choice of, against;     /* the points; NULL: none */
    const enum trust *trust;       /* NULL: that of the point, if any */
};

enum { SELECTION_LISTED = 8 };

struct selection {
    const char *lack;    /* why there is no finding, a message id; NULL: there is one */
    const char *finding; /* which of several, as templates name it; NULL: there is but one */
    struct selection_row *rows;
    size_t count, capacity;
    bool lacks_memory; /* rows are missing */
    bool few;          /* lines have too few places for a page */
    bool doubtful;     /* a SUSPECT time is behind what it says, listed or not */
    bool no_interval;  /* a time of too few launches for an interval is, listed or not */
    const struct point *listed[SELECTION_LISTED]; /* by the table */
    const char *published[SELECTION_LISTED];      /* their seconds, digit for digit; NULL: none */
    size_t listed_count;
};

/* Makes the selection of a kind. `parameters` are those of the kind; series and labels are in the
 * language. The caller releases it. */
typedef void selection_function(const struct experiment *e, const void *parameters,
                                const struct language *l, struct selection *out);
void selection_release(struct selection *s);

/* Names the roles of a chart whose rows are drawn already, or sets why there is no finding. */
typedef void role_function(const struct experiment *e, const struct language *l,
                           struct selection *out);

/* Adds a row with a role, all else unknown. The pointer is valid until the next row is added. */
struct selection_row *selection_name(struct selection *s, const char *role);

/* The same with a label alone, a count as x, or a value as y; and so on below. */
struct selection_row *selection_label(struct selection *s, const char *role, const char *label);
void selection_count(struct selection *s, const char *role, double count);
struct selection_row *selection_value(struct selection *s, const char *role, double value,
                                      struct interval ends, enum quantity quantity);

/* A number without an interval. */
struct selection_row *selection_plain(struct selection *s, const char *role, double value);

/* Sets why there is no finding, a message id, if that is so; returns whether it is. */
bool selection_lacks(struct selection *s, bool lacks, const char *why);

/* The same of points: x, a number of the point's, its total time, total or compute time of one over
 * that of the other, and what takes a minute, `times` times as fast. */
struct selection_row *selection_point(struct selection *s, const char *role, const struct point *p,
                                      double x);
struct selection_row *selection_number(struct selection *s, const char *role, const struct point *p,
                                       double value, struct interval ends);
void selection_time(struct selection *s, const char *role, const struct choice *of,
                    const struct estimate *total);
struct selection_row *selection_ratio(struct selection *s, const char *role,
                                      const struct choice *of, const struct choice *against,
                                      const struct comparison_of_points *c, enum quantity quantity);
void selection_minute(struct selection *s, double times, struct interval ends);

/* The total time of a point over that of another, by their rounds in common. */
void selection_longer(struct selection *s, const char *role, const struct analysis *a,
                      const struct point *slow, const struct point *fast);

/* Adds a row that is drawn in the colour of a point's method, without numbers; in that of its
 * series if the point is NULL. */
struct selection_row *selection_mark(struct selection *s, const struct point *p, size_t panel,
                                     const char *series);

/* Adds a row that is drawn at x and y, without an interval, in the colour of its series. NULL, and
 * no row, if either is NaN. */
struct selection_row *selection_at(struct selection *s, size_t panel, const char *series, double x,
                                   double y);

/* The colour of the series with a place, from 1. */
unsigned selection_colour(size_t place);

/* Adds a part of a stacked bar: its number from the left, from 0, its name, the bar's, and its
 * length. The parts of a bar follow each other. */
struct selection_row *selection_part(struct selection *s, const struct point *p, size_t part,
                                     const char *name, unsigned colour, const char *bar,
                                     double length);

/* Adds the row of a point that is drawn, in its method's colour: x and y are columns of
 * NAME.points.csv, and the interval is that of y's column. NULL, and no row, if either is unknown.
 */
struct selection_row *selection_draw(struct selection *s, const struct analysis *a,
                                     const struct point *p, size_t panel, const char *x,
                                     const char *y, const char *series);

/* Adds a point to the table, unless it is there. */
void selection_list(struct selection *s, const struct point *p);

/* True if the row has that role. */
bool selection_row_is(const struct selection_row *row, const char *role);

/* The first row with a role; NULL: none. */
const struct selection_row *selection_find(const struct selection *s, const char *role);

/* Writes the rows as a table. Status 5. */
enum status selection_write(const struct selection *s, const char *path, struct failure *f);

#endif
