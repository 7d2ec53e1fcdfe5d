/* Whether a point takes more or less time in one of two builds that were timed alternately, layout
 * by layout.
 *
 * The unit is the layout: one process, into which both builds are loaded at new addresses. The
 * rounds of a layout share the addresses of code and data, so its ratio counts once. Anything that
 * affects both builds within a round (the speed of the machine, other load, a mode of the process)
 * affects both times and cancels in their ratio. The test is the sign test: it counts the ratios
 * above 1 + margin, and those below 1 - margin. It assumes that layouts are independent and nothing
 * about their distribution, so a bad layout counts as one, however bad it is. The interval is the
 * one by rank that corresponds to this test. Source: Gibbons & Chakraborti (2011), Nonparametric
 * Statistical Inference, 5.4. */
#ifndef MAXPOOL_PAIRED_COMPARISON_H
#define MAXPOOL_PAIRED_COMPARISON_H

#include "experiments/analysis/comparison.h"

enum {
    PAIRED_FEWEST_LAYOUTS = 6, /* fewer have no 95 % interval */
    PAIRED_USUAL_LAYOUTS = 36  /* enough to find 10 % despite two modes: docs/statistics.md */
};

/* `ratios` has one element per layout, seconds of B / seconds of A, above 0; sorts it. The verdict
 * is that of one comparison alone; compare_together() decides those of a study. With fewer than
 * PAIRED_FEWEST_LAYOUTS the interval is unbounded and the verdict UNDECIDED. */
void compare_paired(struct comparison *c, double *ratios, size_t layouts, double margin);

/* Layouts that can show a change of one point among `count`. */
size_t paired_layouts_needed(size_t count);

#endif
