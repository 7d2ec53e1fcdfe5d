/* Time of a point's phases: seconds, and shares of its total time, with intervals. */
#ifndef MAXPOOL_ANALYSIS_PHASE_TIME_H
#define MAXPOOL_ANALYSIS_PHASE_TIME_H

#include "experiments/analysis/analysis.h"

/* The median over launches of each launch's median (estimate.h); no value if the phase was not
 * clocked or memory runs out. The share is computed per sample. Both are released with
 * estimate_free(). */
struct estimate point_phase_seconds(const struct samples *s, const struct point *p,
                                    enum phase phase);
struct estimate point_phase_share(const struct samples *s, const struct point *p, enum phase phase);

/* What is asked of a sample of a launch; NaN: unknown. */
typedef double sample_function(const struct launch *l, const struct sample *s);

/* Likewise, of a number above 0 that each sample has. */
struct estimate point_sample_estimate(const struct samples *s, const struct point *p,
                                      sample_function *of);

#endif
