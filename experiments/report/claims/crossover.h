/* Where one of two ways of computing overtakes the other as networks grow.
 *
 * Each pair holds the times of both ways for one size. A difference is seen where the test of the
 * pair says so among those of all pairs, by Holm's steps, at 5 % (analysis/best/with_best.h). The
 * crossover lies between the pairs up to which the first way is seen to take less time and those
 * from which on the second is: where neither is seen, the samples do not say. */
#ifndef MAXPOOL_CLAIMS_CROSSOVER_H
#define MAXPOOL_CLAIMS_CROSSOVER_H

#include "experiments/analysis/best/with_best.h"

struct crossover_pair {
    double parameters; /* of the first way's network */
    struct choice first, second;
    struct comparison_of_points ratio; /* total seconds of the first over those of the second */
    double p_value;                    /* of no difference, adjusted for all pairs; NaN: unknown */
};

struct crossover {
    struct crossover_pair *pairs; /* in ascending parameters */
    size_t count, room;
    bool lacks_memory; /* pairs may be missing */
    size_t known;      /* so many pairs whose difference can be tested */
    size_t first;      /* so many pairs, from the smallest on, in which the first way takes less */
    size_t second;     /* from this pair on the second way takes less in all; `count`: in none */
    size_t changes;    /* how often the faster way changes from a seen difference to the next */
    size_t before, after; /* the pairs on either side of the last change */
};

/* Adds a pair; nothing where a way has no time. */
void crossover_add(struct crossover *c, const struct samples *s, double parameters,
                   const struct choice *first, const struct choice *second);

/* Sorts the pairs and finds where the ways cross. */
void crossover_find(struct crossover *c);

/* True where the difference of a pair is seen and the second way takes less time, or the first. */
bool crossover_is_seen(const struct crossover_pair *p, bool second);

void crossover_release(struct crossover *c);

#endif
