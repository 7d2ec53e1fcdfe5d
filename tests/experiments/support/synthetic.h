/* Synthetic launches with known truth and fixed seeds, for the tests of the analysis. */
#ifndef MAXPOOL_TEST_SYNTHETIC_H
#define MAXPOOL_TEST_SYNTHETIC_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>

/* How the samples of a launch scatter about the true time, as fractions of that time. */
struct noise {
    double launch;  /* standard deviation between launches */
    double sample;  /* standard deviation within a launch */
    double trend;   /* slowdown from the first launch to the last */
    double outlier; /* probability of a sample that takes 1.5 to 5 times as long */
    double mode;    /* probability that a launch runs in a second mode ... */
    double slower;  /* ... which is slower by this fraction (0.1: 10 %) */
};

/* Fills values[samples] with launch number `launch` of `launches`. */
void synthetic_launch(double *values, size_t samples, double seconds, size_t launch,
                      size_t launches, const struct noise *noise, gsl_rng *rng);

/* Set up and tear down one test, or all of a group, with a generator of seed 35 as the state; GSL
 * does not end the program at an error, as in `study`. */
int open_generator(void **state);
int close_generator(void **state);

/* True if MAXPOOL_LONG=1 requests the long run. */
bool long_run(void);

#endif
