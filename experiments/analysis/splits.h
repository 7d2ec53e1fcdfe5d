/* All splits of the launches into two sides, and how rare the observed one is among them.
 *
 * The statistic is Welch's, of all ranks. If the times have two modes, launches of the slower mode
 * hide a shift that all launches have in common. So the ranks are also compared in two parts, up to
 * a cut and beyond it, each rank relative to the mean of its own part. The statistic in parts is
 * the maximum of the statistic of all ranks and, over all cuts, three quarters of the one within
 * parts. It tests for a shift, and inverting it gives no interval: within the parts it does not see
 * that one side has more launches in the slower mode. Every cut is tried, for the observed split as
 * for all others, so the false alarm rate stays exact. The weight is a choice: at full weight,
 * looking at parts would cost a tenth of the power if times have one mode; at three quarters it
 * costs a fiftieth, and a shift within two modes is still found (docs/statistics.md). Sources:
 * ranks within parts, van Elteren (1960), Bulletin of the International Statistical Institute 37,
 * 351-361; the largest over cuts, Lausen & Schumacher (1992), Biometrics 48, 73-85.
 *
 * If no two values are equal, their ranks are 1, 2, 3, ... whatever the values, and the statistics
 * of all splits are the same numbers in every comparison with these counts: they are computed once,
 * sorted, and looked up. Equal values share a rank, and each split is then computed anew. */
#ifndef MAXPOOL_SPLITS_H
#define MAXPOOL_SPLITS_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SPLITS_MOST_EXACT = 30, /* launches of both sides, up to which splits are enumerated */
    SPLITS_LEAST_CUT = 8    /* launches per side from which parts are compared */
};

/* Direction of the difference that is tested. */
enum side { EITHER, ABOVE, BELOW, SIDES };

/* Statistic that tests it. */
enum statistic { OF_ALL, IN_PARTS, STATISTICS };

struct splits {
    size_t count, count_a, count_all;  /* count of splits; launches of A come first */
    double *sorted[STATISTICS][SIDES]; /* of all splits of distinct values, ascending; not owned */
    uint16_t *member;                  /* count_a indices per split; not owned */
};

/* Number of splits; 0 if a side is empty. */
double splits_ways(size_t count_a, size_t count_b);

/* Takes all splits if they are at most 50,000, as with nine launches per side; otherwise the
 * observed one and 9,999 random ones, the same in every comparison with these counts. Returns 0, or
 * -1 if memory runs out. */
int splits_open(struct splits *s, size_t count_a, size_t count_b, gsl_rng *rng);

/* Share of the splits that are at least as extreme as the observed one, from the ranks of all
 * launches; NaN if memory runs out. */
double splits_p(const struct splits *s, const double *ranks, enum statistic statistic,
                enum side side);

#endif
