/* Simulated time instead of computing: a computation takes the seconds that were measured
 * elsewhere, and on folded memory nothing is computed at all. It is for programs that run on a
 * simulated cluster (harness/machine/simulation.h), whose messages are sent as usual. All simulated
 * time of a run is here. */
#ifndef MAXPOOL_SIMULATED_H
#define MAXPOOL_SIMULATED_H

#include "harness/space/computing.h"
#include "harness/space/dry_run.h"

/* What --row-seconds, --sum-seconds, --update-seconds and --fold ask for. */
struct simulated {
    double row_s;    /* seconds that computing one row of the map takes; of a training, forward,
                        loss and backward of an image; 0: it is computed, and clocked */
    double sum_s;    /* adding the gradients of all parameters, of one shard, to their sum */
    double update_s; /* and the update of all parameters */
    bool folded;     /* nothing is computed: image and map have one memory for all of their pages */
};

/* A job of which portions take row_s, which is above 0. */
struct computing computing_simulated(const struct operation *op, const struct simulated *simulated);

/* A training of which nothing is computed. The seconds of an image are distributed over the layers
 * by their multiply-adds. */
struct dry_run simulated_dry_run(const struct simulated *simulated);

#endif
