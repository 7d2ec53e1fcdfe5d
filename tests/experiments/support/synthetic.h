/* Synthetic launches with known truth, seeded, for the tests of the analysis. */
#ifndef MAXPOOL_TEST_SYNTHETIC_H
#define MAXPOOL_TEST_SYNTHETIC_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>

/* How the samples of a launch scatter about the true time; shares of the time. */
struct noise {
    double launch;  /* standard deviation between launches */
    double sample;  /* standard deviation within a launch */
    double trend;   /* the machine slows by this from the first launch to the last */
    double outlier; /* probability of a sample that takes 1.5 to 5 times as long */
    double mode;    /* probability that a launch runs in a second mode ... */
    double slower;  /* ... that much slower (0.1: 10 %) */
};

/* Fills values[samples] of launch number `launch` of `launches`. */
void synthetic_launch(double *values, size_t samples, double seconds, size_t launch,
                      size_t launches, const struct noise *noise, gsl_rng *rng);

/* MAXPOOL_LONG=1 asks for the long run. */
bool long_run(void);

#endif
