/* How long a launch takes: a rough model, corrected by what ran. */
#ifndef MAXPOOL_COST_H
#define MAXPOOL_COST_H

#include "experiments/plan/plan.h"

/* Seconds of one launch: start, filling, verification by an oracle, warm-up and samples. */
double cost_launch(const struct plan *plan, const struct definition *d, const struct record *p);

#endif
