/* This machine as the prediction for more cores needs it: cores, memories and caches as hwloc
 * reports them, bandwidths as `study roofline` measured them with one worker and with all. Clock
 * and cache lines are assumptions. */
#ifndef MAXPOOL_THIS_MACHINE_H
#define MAXPOOL_THIS_MACHINE_H

#include "experiments/plan/multicore.h"
#include "harness/limits/ceilings.h"

#include <stdbool.h>

/* True if the ceilings have the bandwidth of memory, which the description needs. */
bool this_machine_is_measured(const struct ceilings *c);

/* Describes this machine. Status 3 if that bandwidth is missing. */
enum status this_machine_describe(struct multicore *out, const struct ceilings *c,
                                  struct failure *f);

#endif
