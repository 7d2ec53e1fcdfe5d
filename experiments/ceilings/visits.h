/* A ceiling from several visits. The samples of one visit share threads, memory and a moment, so a
 * visit counts once, by its median. The ceiling is the upper quartile of the rates of the visits:
 * the median would be too low if other programs slowed half of the visits, and the highest rate is
 * the luckiest one. The 95 % interval lies between two visits by rank (harness/base/statistics.h,
 * quantile_interval_ranks): of 13 the 7th and the highest, of 26 the 15th and the 24th. */
#ifndef MAXPOOL_CEILINGS_VISITS_H
#define MAXPOOL_CEILINGS_VISITS_H

#include "harness/ceilings/ceilings.h"

#include <stdbool.h>
#include <stddef.h>

enum { VISITS = 13, VISITS_MOST = 2 * VISITS };

struct visits {
    size_t count;
    size_t repeats; /* in a sample, found by the first visit; 0: not yet */
    double seconds[VISITS_MOST];
};

/* The rate of an amount that took each visit so many seconds. No interval below 13 visits; without
 * any all is NaN. */
struct rate visits_rate(const struct visits *v, double amount);

/* Whether a row is to be visited VISITS times more, all of which count: its interval is wider than
 * a tenth of the ceiling, or it has none. Asked once, so that nobody goes on until a rate pleases.
 */
bool visits_are_apart(const struct rate *rate);

#endif
