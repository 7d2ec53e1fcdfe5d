/* Where one of two ways of computing overtakes the other as networks grow.
 *
 * Each pair has the times of both ways for one size. A difference counts if the test of the pair is
 * significant among those of all pairs, by Holm's procedure, at 5 % (analysis/best/with_best.h).
 * The crossover is between the smallest sizes, at which the first way takes less time, and the
 * largest, at which the second does. At sizes without a significant difference, the samples do not
 * decide. */
#ifndef MAXPOOL_CLAIMS_CROSSOVER_H
#define MAXPOOL_CLAIMS_CROSSOVER_H

#include "experiments/analysis/best/with_best.h"

struct crossover_pair {
    double parameters; /* of the first way's network */
    struct choice first, second;
    struct comparison_of_points ratio; /* total seconds of the first / of the second */
    double p_value;                    /* of "no difference", adjusted for all pairs, or NaN */
};

struct crossover {
    struct crossover_pair *pairs; /* in ascending parameters */
    size_t count, capacity;
    bool lacks_memory; /* memory ran out: pairs may be missing */
    size_t known;      /* number of pairs whose difference can be tested */
    size_t first;      /* pairs, from the smallest on, in which the first way takes less */
    size_t second;     /* index from which on the second way takes less; `count`: none */
    size_t changes;    /* changes of the faster way from one significant difference to the next */
    size_t before, after; /* the pairs on either side of the last change */
};

/* Adds a pair, unless a way has no time. */
void crossover_add(struct crossover *c, const struct samples *s, double parameters,
                   const struct choice *first, const struct choice *second);

/* Sorts the pairs and finds where the ways cross. */
void crossover_find(struct crossover *c);

/* True if the difference of a pair is significant and the second way, or else the first, takes less
 * time. */
bool crossover_is_significant(const struct crossover_pair *p, bool second);

void crossover_release(struct crossover *c);

#endif
