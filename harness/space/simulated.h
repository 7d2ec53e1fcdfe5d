/* Simulated time instead of computing: a computation takes the seconds that were measured on
 * another machine, and on folded memory nothing is computed at all. For programs that run on a
 * simulated cluster (harness/machine/simulation.h), whose messages are sent as usual. No other file
 * makes simulated time pass. */
#ifndef MAXPOOL_SIMULATED_H
#define MAXPOOL_SIMULATED_H

#include "harness/space/computing.h"
#include "harness/space/dry_run.h"

/* The values of --row-seconds, --product-seconds, --sum-seconds, --update-seconds and --fold. */
struct simulated {
    double row_s; /* seconds of computing one row of the map; in a training, of forward, loss and
                     backward of one image; 0: it is computed and timed */
    double product_s; /* of these, seconds of the row's products, if only they are parallel */
    double sum_s; /* seconds of adding the gradients of one shard, all parameters, to their sum */
    double update_s; /* seconds of updating all parameters */
    bool folded;     /* nothing is computed: all pages of image and map share one memory */
};

/* Computing in which portions take the time of row_s, which must be above 0. */
struct computing computing_simulated(const struct operation *op, const struct simulated *simulated);

/* Lets the time of one stage of a portion pass: the products' own, and for cutting all that is left
 * of row_s, so that a reduction takes none. */
void simulated_stage(const struct computing *c, const struct portion *portion, enum stage stage);

/* A training that computes nothing. The seconds of an image are distributed over the layers by
 * their multiply-adds. */
struct dry_run simulated_dry_run(const struct simulated *simulated);

#endif
