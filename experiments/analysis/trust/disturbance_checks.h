/* What the recorded conditions of a point's samples show about its slow times (disturbances.h). */
#ifndef MAXPOOL_TRUST_DISTURBANCE_CHECKS_H
#define MAXPOOL_TRUST_DISTURBANCE_CHECKS_H

#include "experiments/analysis/analysis.h"

enum { DISTURBANCE_REASONS = 2 };

/* Fills the reasons that were found, at most DISTURBANCE_REASONS, as notes on a time that is wide
 * or has two modes: cores that its threads lost, and a frequency that changed. A sample is slow if
 * it takes more than 1 + apart times the 10 % quantile of all samples. Returns their number, or -1
 * if memory runs out. */
int disturbance_reasons(const struct analysis *a, const struct point *p, double apart,
                        struct reason reasons[DISTURBANCE_REASONS]);

#endif
