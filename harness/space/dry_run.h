/* A dry run of a training: a step computes nothing and still sends its messages. The omitted work
 * is reported to the caller of the run (harness/space/simulated.h). */
#ifndef MAXPOOL_DRY_RUN_H
#define MAXPOOL_DRY_RUN_H

#include "harness/base/failure.h"

#include <stddef.h>
#include <stdint.h>

/* The messages of a step between `ranks` processes; almost all of them are in flight at once. */
struct dry_messages {
    int64_t ranks, shards;
    size_t count; /* in all processes; SIZE_MAX: more than can be counted */
};

struct dry_run {
    const void *context;
    /* Products of layers, forward and backward: the share that corresponds to `images` images in
     * all layers. */
    void (*products)(const struct dry_run *d, double images);
    /* Additions to the sum of gradients: the share that corresponds to all parameters of `shards`
     * shards. */
    void (*sums)(const struct dry_run *d, double shards);
    /* One update of all parameters. */
    void (*update)(const struct dry_run *d);
    /* Called before a message is sent: status 4 if there is not enough memory for the messages. */
    enum status (*check)(const struct dry_run *d, const struct dry_messages *messages,
                         struct failure *f);
};

#endif
