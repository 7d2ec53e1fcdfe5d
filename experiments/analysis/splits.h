/* The ways of dealing launches to two sides, and how rare the observed one is among them.
 *
 * The statistic is Welch's, of ranks. Where no two values are equal their ranks are 1, 2, 3, ...
 * whatever they are, and the statistics of all splits are the same numbers in every comparison of
 * as many launches: they are computed once, sorted, and looked up. Equal values share a rank, and
 * are dealt anew. */
#ifndef MAXPOOL_SPLITS_H
#define MAXPOOL_SPLITS_H

#include <gsl/gsl_rng.h>
#include <stddef.h>
#include <stdint.h>

enum { SPLITS_MOST_EXACT = 30 /* launches of both sides, of which all splits may be counted */ };

struct splits {
    size_t count, count_a, count_all; /* launches of A stand first */
    const double *sorted; /* statistics of all splits of distinct values, ascending; NULL: random */
    uint16_t *member;     /* count_a indices per split, once they are needed; owned */
    gsl_rng *dice;
};

/* How many there are; 0 where a side is empty. */
double splits_ways(size_t count_a, size_t count_b);

/* All of them up to 50,000, which nine launches and nine do not reach; otherwise 9,999 random ones
 * beside the observed one. Returns 0, or -1 where memory lacks. */
int splits_open(struct splits *s, size_t count_a, size_t count_b, gsl_rng *dice);
void splits_close(struct splits *s);

/* What a difference is looked for. */
enum side { EITHER, ABOVE, BELOW };

/* Share of the splits that lie at least as far as the observed one, by the ranks of all launches;
 * NaN where memory lacks. */
double splits_p(struct splits *s, const double *ranks, enum side side);

#endif
