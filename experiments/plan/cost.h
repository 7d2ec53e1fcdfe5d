/* How long launches take: a rough model, corrected by what ran. */
#ifndef MAXPOOL_COST_H
#define MAXPOOL_COST_H

#include "experiments/plan/plan.h"

/* Gives every point of a grouped plan its share of a launch: by the journals of the results folder
 * where they have it, else by the model, corrected by what launches of the same method, program or
 * scale took there. */
enum status cost_estimate(struct plan *plan, const char *results, struct failure *f);

/* A point's share of one more launch. */
void cost_learn(struct planned *p, double share_s);

/* Launches by this launcher take so long to start here; points that were not measured yet are
 * estimated anew. */
void cost_learn_start(struct plan *plan, const char *launcher, double start_s);

#endif
