/* Whether other programs were running, as far as the samples of one launch show it. */
#ifndef MAXPOOL_NOISE_H
#define MAXPOOL_NOISE_H

#include "harness/base/two_modes.h"
#include "harness/point/point.h"

struct noise {
    double ratio; /* median / lower decile of the totals; NaN for fewer than 6 samples */
    bool seen;    /* the ratio is above noise_ratio, or two modes differ by more than 10 % */
    struct modes modes;
};

/* On a quiet machine the same work takes the same time within some percent, and a processor that
 * varies its clock takes at most 1.4 times as long. If half of the samples exceed 1.5 times the
 * lower decile, they were delayed. The fastest sample is no suitable reference: it gets faster with
 * the number of samples. */
extern const double noise_ratio;

struct noise noise_of(const struct measurement *m);

/* What was found, and its likely cause with a remedy; as text, without a full stop. `sharing` is
 * that of struct resources: if workers share cores, that is the cause. */
const char *noise_text(const struct noise *noise, char *buffer, size_t size);
const char *noise_remedy(const struct machine *machine, const char *sharing, char *buffer,
                         size_t size);

#endif
