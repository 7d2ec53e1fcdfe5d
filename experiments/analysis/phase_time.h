/* What the phases of a point take: seconds, and shares of its total time, with intervals. */
#ifndef MAXPOOL_ANALYSIS_PHASE_TIME_H
#define MAXPOOL_ANALYSIS_PHASE_TIME_H

#include "experiments/analysis/analysis.h"

/* The median over launches of each launch's median, as estimate.h has it; no value where the phase
 * was not clocked, or memory lacks. The share is taken sample by sample. Both are released with
 * estimate_free(). */
struct estimate point_phase_seconds(const struct samples *s, const struct point *p,
                                    enum phase phase);
struct estimate point_phase_share(const struct samples *s, const struct point *p, enum phase phase);

#endif
