/* Made-up launches with a known truth: what machines do to times, by the median of each launch. */
#ifndef MAXPOOL_TEST_WORLDS_H
#define MAXPOOL_TEST_WORLDS_H

#include "experiments/samples/estimate.h"

#include <stdbool.h>
#include <stddef.h>

enum { LAUNCHES = 9, MOST_LAUNCHES = 54 };

/* Logarithms scatter normally about 0, so the true time is 1 where there is one mode. */
struct world {
    double deviation;    /* standard deviation of a launch's logarithm */
    double mode, slower; /* probability of a second mode, and how much slower it is (0.3: 30 %) */
    double common;       /* standard deviation of what all launches of one round share */
    double correlation;  /* of that from one round to the next */
    size_t shifted_from; /* launches from this one on are of a session ... */
    double shift;        /* ... whose times are longer by this share; 0: none are */
};

/* The median of what world_launches draws, sessions and rounds left out. */
double world_truth(const struct world *w);

/* Another quantile of it. */
double world_quantile(const struct world *w, double fraction);

/* Effects of `rounds` rounds, in logarithms: stationary, each correlated with the one before. */
void world_rounds(double *effects, size_t rounds, const struct world *w, gsl_rng *rng);

/* Seconds of launches `from` to `to`; effects: of their rounds, NULL: none. */
void world_launches(double *seconds, size_t from, size_t to, const struct world *w,
                    const double *effects, gsl_rng *rng);

/* The project's own estimate of a point with these launches; estimate_free. */
struct estimate world_estimate(const double *seconds, size_t launches, gsl_rng *rng);

/* Its interval alone, which from six launches on lies between two of them. */
struct interval world_interval(const double *seconds, size_t launches);

double world_median(const double *seconds, size_t launches);

bool world_holds(struct interval i, double truth);

#endif
