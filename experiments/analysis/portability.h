/* Performance portability of a method over a set of machines: the harmonic mean of its efficiencies
 * on them, and 0 if one of them does not run it. Source: Pennycook, Sewall and Lee, "Implications
 * of a metric for performance portability", Future Generation Computer Systems 92 (2019), 947-958,
 * equation 1. An efficiency is either application efficiency (the time of the fastest method on
 * that machine over the method's) or architectural efficiency (the share of the machine's limit).
 */
#ifndef MAXPOOL_PORTABILITY_H
#define MAXPOOL_PORTABILITY_H

#include "experiments/samples/estimate.h"

#include <stdbool.h>

/* Efficiency on one machine. Its interval follows from the two estimates, which must outlive it. */
struct efficiency {
    double value;                   /* 0: not measured there, or INVALID; NaN: unknown */
    const struct estimate *seconds; /* of the method; NULL: none */
    const struct estimate *fastest; /* of the fastest method; NULL: relative to a constant */
};

struct portability {
    double value;             /* NaN if an efficiency is unknown */
    struct interval interval; /* 95 %, from the resamples; NaN if a machine has none */
};

/* Portability over `count` machines, whose launches are independent of each other. The resamples of
 * all machines are combined, and the tails widened to Student's distribution with their joint
 * degrees of freedom (Welch 1947). */
struct portability portability_of(const struct efficiency *e, size_t count);

#endif
