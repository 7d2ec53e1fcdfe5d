/* A ceiling from several visits. The samples of one visit share threads, memory and a moment, so a
 * visit counts once, with its median. The ceiling is the upper quartile of the visits' rates: the
 * median would be too low if other programs slowed down half of the visits, and the highest rate is
 * a matter of luck. The 95 % interval reaches from one visit to another, by rank
 * (harness/base/statistics.h, quantile_interval_ranks): from the 7th to the highest of 13, from the
 * 15th to the 25th of 26. */
#ifndef MAXPOOL_CEILINGS_VISITS_H
#define MAXPOOL_CEILINGS_VISITS_H

#include "harness/limits/ceilings.h"

#include <stdbool.h>
#include <stddef.h>

enum { VISITS = 13, VISITS_MOST = 2 * VISITS };

struct visits {
    size_t count;
    size_t repeats; /* repetitions per sample, determined by the first visit; 0: not yet */
    double seconds[VISITS_MOST];
};

/* Returns the rate, where visit i took seconds[i] for `amount`. There is no interval below 13
 * visits; without visits everything is NaN. */
struct rate visits_rate(const struct visits *v, double amount);

/* Whether to visit a row VISITS times more, all of which count: its interval is wider than a tenth
 * of the ceiling, or it has none. Decided only once, so that nobody repeats visits until the rate
 * suits them. */
bool visits_are_apart(const struct rate *rate);

/* Whether a visit that the rate does not count was faster than its interval by more than a tenth:
 * the rate was measured in a slower moment. */
bool visits_were_faster(const struct rate *rate);

#endif
