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

/* logs: of seconds, `rounds` of each point behind each other. *width becomes what their common
 * share adds to the half-width of each logarithm, in quadrature: 0 where there are few points or
 * rounds, or points rank their rounds no more alike than chance has it in one case of twenty.
 * False where memory lacks. Source of the test: Friedman (1937), Journal of the American
 * Statistical Association 32, 675-701. */
bool round_effects_width(const double *logs, size_t points, size_t rounds, double *width);

/* The interval with such a width added to both of its sides. */
struct interval round_effects_widen(struct interval i, double value, double width);

/* Such widths of the points of a folder, by key: a point that several files measured has the widest
 * of theirs. Compute and total. Start from {0}. */
struct round_effects {
    struct numbering keys;
    double (*widths)[ROUND_EFFECTS_PHASES];
    size_t count;
};

/* Takes the points of one file, measured in rounds of their own. False where memory lacks. */
bool round_effects_add(struct round_effects *e, const struct samples *s);

/* Phase 0: compute, 1: total. 0 where the point is not known. */
double round_effects_of(const struct round_effects *e, const char *key, size_t phase);

void round_effects_release(struct round_effects *e);

#endif
