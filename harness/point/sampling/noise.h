/* Whether other programs were running, as far as the samples of one launch show it. */
#ifndef MAXPOOL_NOISE_H
#define MAXPOOL_NOISE_H

#include "harness/base/two_modes.h"
#include "harness/point/point.h"

struct noise {
    double ratio; /* median / lower decile of the totals; NaN below 6 samples */
    bool seen;    /* the ratio is above noise_ratio, or there are two modes that far apart */
    struct modes modes;
};

/* The same work on a quiet machine takes the same time within some percent, and a clock that a
 * processor raises and lowers makes it 1.4 times as long at the most: half of the samples above 1.5
 * times what the fastest tenth takes at most were kept waiting. The fastest of all is no measure:
 * it is the faster, the more samples there are. */
extern const double noise_ratio;

/* Two modes this far apart are more than a cache or a page that lies elsewhere makes. */
extern const double noise_modes_ratio;

struct noise noise_of(const struct measurement *m);

/* What was seen, and why it may be with what to do about it; in words, without a full stop.
 * `sharing`: of struct resources; workers that share cores are the cause where there are some. */
const char *noise_text(const struct noise *noise, char *buffer, size_t size);
const char *noise_remedy(const struct machine *machine, const char *sharing, char *buffer,
                         size_t size);

#endif
