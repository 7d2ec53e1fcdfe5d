/* What the recorded conditions of a point's samples show about its slow times (disturbances.h). */
#ifndef MAXPOOL_TRUST_DISTURBANCE_CHECKS_H
#define MAXPOOL_TRUST_DISTURBANCE_CHECKS_H

#include "experiments/analysis/analysis.h"

enum { DISTURBANCE_REASONS = 2 };

/* The reasons that were seen, at most DISTURBANCE_REASONS, as notes beside a time that is wide or
 * has two modes: cores that its threads lost, and a frequency that changed. Slow is a sample that
 * takes more than 1 + apart times as long as the fastest tenth at most. Returns their number, or -1
 * where memory lacks. */
int disturbance_reasons(const struct analysis *a, const struct point *p, double apart,
                        struct reason reasons[DISTURBANCE_REASONS]);

#endif
