/* The ways of splitting launches into two sides, and how rare the observed one is among them.
 *
 * The statistic is Welch's, of all ranks. Where times lie in two modes, launches of the slower one
 * hide what all launches have in common, a shift: so the ranks are also looked at in two parts,
 * those up to a cut and those beyond it, each launch by its distance from the middle of its own
 * part. The statistic in parts is the largest of that of all ranks and, over all cuts, three
 * quarters of that of the parts. It tests a shift, and inverting it gives no interval: within the
 * parts it does not see that one side has more launches in the slower mode. Any cut is tried, for
 * the observed split as for all others, so the rate of false alarms stays exact. The weight is a
 * choice: in full, looking at parts would cost a tenth of the power where times have one mode; with
 * three quarters it costs a fiftieth, and a shift within two modes is found all the same
 * (docs/statistics.md). Sources: ranks within parts, van Elteren (1960), Bulletin of the
 * International Statistical Institute 37, 351-361; the largest over cuts, Lausen & Schumacher
 * (1992), Biometrics 48, 73-85.
 *
 * Where no two values are equal their ranks are 1, 2, 3, ... whatever they are, and the statistics
 * of all splits are the same numbers in every comparison of as many launches: they are computed
 * once, sorted, and looked up. Equal values share a rank, and each split is computed anew. */
#ifndef MAXPOOL_SPLITS_H
#define MAXPOOL_SPLITS_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SPLITS_MOST_EXACT = 30, /* launches of both sides, of which all splits may be counted */
    SPLITS_LEAST_CUT = 8    /* launches of each side from which parts are looked at */
};

/* What a difference is looked for. */
enum side { EITHER, ABOVE, BELOW, SIDES };

/* What it is looked for by. */
enum statistic { OF_ALL, IN_PARTS, STATISTICS };

struct splits {
    size_t count, count_a, count_all;  /* launches of A stand first */
    double *sorted[STATISTICS][SIDES]; /* of all splits of distinct values, ascending; not owned */
    uint16_t *member;                  /* count_a indices per split; not owned */
};

/* How many there are; 0 where a side is empty. */
double splits_ways(size_t count_a, size_t count_b);

/* All of them up to 50,000, which nine launches and nine do not reach; otherwise 9,999 random ones
 * beside the observed one, the same in every comparison of as many launches. Returns 0, or -1 where
 * memory lacks. */
int splits_open(struct splits *s, size_t count_a, size_t count_b, gsl_rng *rng);

/* Share of the splits that lie at least as far as the observed one, by the ranks of all launches;
 * NaN where memory lacks. */
double splits_p(const struct splits *s, const double *ranks, enum statistic statistic,
                enum side side);

#endif
