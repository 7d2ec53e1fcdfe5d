/* The rows of the table: each simulates a promise of the statistics many times. */
#ifndef MAXPOOL_TEST_ROWS_H
#define MAXPOOL_TEST_ROWS_H

#include <gsl/gsl_rng.h>
#include <stddef.h>

/* Simulates one draw: 1 if the promise was kept (or a false claim was made, or a change found),
 * else 0, or a fraction of several; NaN: the draw does not count. */
typedef double trial(gsl_rng *rng, const void *with);

struct row {
    const char *what;     /* first column of the table */
    const char *promised; /* second column of the table */
    trial *draw;          /* one draw; the mean over all draws is the fraction found */
    const void *with;     /* its parameters */
    double least, most;   /* limits of the fraction; wide enough for the short form */
    size_t cost;          /* divides the number of draws */
};

struct section {
    const char *title;
    const struct row *rows;
    size_t count;
};

extern const struct section rows_of_points, rows_of_best, rows_of_fits, rows_of_comparisons,
    rows_of_duets, rows_of_ceilings, rows_of_order, rows_of_disturbances, rows_of_sessions,
    rows_of_again;

#endif
