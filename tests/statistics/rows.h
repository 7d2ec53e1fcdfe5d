/* The rows of the table: each simulates one promise of the statistics many times. */
#ifndef MAXPOOL_TEST_ROWS_H
#define MAXPOOL_TEST_ROWS_H

#include <gsl/gsl_rng.h>
#include <stddef.h>

/* Whether the promise was kept in one draw (or a false claim made, or a change found); NaN: the
 * draw does not count. */
typedef double trial(gsl_rng *rng, const void *with);

struct row {
    const char *what;     /* of the table's first column */
    const char *promised; /* as the table says it */
    trial *draw;          /* mean of what it gives: the share that is found */
    const void *with;     /* its parameters */
    double least, most;   /* the share must lie between; wide enough for the short form */
    size_t cost;          /* relative: draws are divided by it */
};

struct section {
    const char *title;
    const struct row *rows;
    size_t count;
};

extern const struct section rows_of_points, rows_of_best, rows_of_fits, rows_of_comparisons,
    rows_of_duets, rows_of_ceilings, rows_of_order, rows_of_disturbances, rows_of_sessions;

#endif
