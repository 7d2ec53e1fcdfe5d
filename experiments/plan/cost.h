/* Estimates how long launches take: a rough model, corrected by measured launches. */
#ifndef MAXPOOL_COST_H
#define MAXPOOL_COST_H

#include "experiments/plan/plan.h"

/* Estimates for every point of a grouped plan its share of a launch: from the journals in the
 * folder of results if they have the point; otherwise from the model, corrected by launches of the
 * same method, program or scale there. */
enum status cost_estimate(struct plan *plan, const char *results, struct failure *f);

/* Includes the point's share of one more measured launch in the mean. */
void cost_learn(struct planned *p, double share_s);

/* Takes the measured start time of a launcher, and corrects the estimates of points that are not
 * measured yet. */
void cost_learn_start(struct plan *plan, const char *launcher, double start_s);

#endif
