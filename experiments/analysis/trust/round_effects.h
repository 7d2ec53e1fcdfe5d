/* The noise that all points of a round have in common: the speed of the machine during that round.
 *
 * The interval of a point assumes that its launches are exchangeable. If the speed of the machine
 * drifts, so that neighbouring rounds resemble each other, nine launches of one point cannot show
 * how far it drifts; all points together can show how much of their noise they share. The shared
 * noise is treated as correlated by 0.7 from one round to the next: n rounds are then worth n / 5.7
 * independent ones, (1 - 0.7) / (1 + 0.7), and the interval of the shared noise is 2.4 times as
 * wide. Ratios within rounds are not affected. Source of the factor: Priestley, Spectral Analysis
 * and Time Series (1981), 5.3.2. */
#ifndef MAXPOOL_ROUND_EFFECTS_H
#define MAXPOOL_ROUND_EFFECTS_H

#include "experiments/common/text/numbering.h"
#include "experiments/samples/estimate.h"
#include "experiments/samples/samples.h"

#include <stdbool.h>

enum { ROUND_EFFECTS_PHASES = 2, ROUND_EFFECTS_LEAST = 6 /* points, and rounds */ };

/* `logs`: logarithms of seconds, `rounds` contiguous elements per point. *width: what their common
 * noise adds to the half-width of each logarithm, in quadrature. It is 0 if points or rounds are
 * few, or if the points do not rank their rounds more alike than chance does in one case of twenty.
 * Returns false if memory runs out. Source of the test: Friedman (1937), Journal of the American
 * Statistical Association 32, 675-701. */
bool round_effects_width(const double *logs, size_t points, size_t rounds, double *width);

/* The interval, extended by such a width on both sides. */
struct interval round_effects_widen(struct interval i, double value, double width);

/* The widths of the points of a folder, by key, for compute and total: a point that several files
 * measured has the largest of theirs. Initialize with {0}. */
struct round_effects {
    struct numbering keys;
    double (*widths)[ROUND_EFFECTS_PHASES];
    size_t count;
};

/* Adds the points of one file, which has its own rounds. Returns false if memory runs out. */
bool round_effects_add(struct round_effects *e, const struct samples *s);

/* Phase 0: compute, 1: total. 0 if the point is unknown. */
double round_effects_of(const struct round_effects *e, const char *key, size_t phase);

void round_effects_release(struct round_effects *e);

#endif
