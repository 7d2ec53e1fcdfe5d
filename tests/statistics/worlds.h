/* Made-up launches with a known truth: typical disturbances of times, applied to the median of each
 * launch. */
#ifndef MAXPOOL_TEST_WORLDS_H
#define MAXPOOL_TEST_WORLDS_H

#include "experiments/samples/estimate.h"

#include <stdbool.h>
#include <stddef.h>

enum { LAUNCHES = 9, MOST_LAUNCHES = 54 };

/* Logarithms are normally distributed about 0, so the true time is 1 if there is one mode. */
struct world {
    double deviation;    /* standard deviation of a launch's logarithm */
    double mode, slower; /* probability of a second mode, and how much slower it is (0.3: 30 %) */
    double common;       /* standard deviation of the effect that all launches of a round share */
    double correlation;  /* of this effect between consecutive rounds */
    size_t shifted_from; /* launches from this one on belong to a session ... */
    double shift;        /* ... whose times are longer by this fraction; 0: no such session */
};

/* Returns the median of what world_launches draws, without sessions and rounds. */
double world_truth(const struct world *w);

/* Returns another quantile of it. */
double world_quantile(const struct world *w, double fraction);

/* Draws the effects of `rounds` rounds, in logarithms: stationary, each correlated with the one
 * before. */
void world_rounds(double *effects, size_t rounds, const struct world *w, gsl_rng *rng);

/* Draws the seconds of launches `from` to `to` - 1; `effects`: those of their rounds, NULL:
 * none. */
void world_launches(double *seconds, size_t from, size_t to, const struct world *w,
                    const double *effects, gsl_rng *rng);

/* Returns the project's own estimate of a point with these launches; free it with estimate_free. */
struct estimate world_estimate(const double *seconds, size_t launches, gsl_rng *rng);

/* Returns its interval alone; with six launches or more its ends are two of them. */
struct interval world_interval(const double *seconds, size_t launches);

double world_median(const double *seconds, size_t launches);

bool world_holds(struct interval i, double truth);

#endif
