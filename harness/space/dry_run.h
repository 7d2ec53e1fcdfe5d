/* A dry run of a training: of a step nothing is computed, and its messages are still sent. The work
 * that is left out is reported to the caller of the run (harness/space/simulated.h). */
#ifndef MAXPOOL_DRY_RUN_H
#define MAXPOOL_DRY_RUN_H

#include "harness/base/failure.h"

#include <stddef.h>
#include <stdint.h>

/* The messages of a step between so many processes, of which as good as all are under way at once.
 */
struct dry_messages {
    int64_t ranks, shards;
    size_t count; /* in all processes; SIZE_MAX: more than can be counted */
};

struct dry_run {
    const void *context;
    /* Products of layers, forward and backward: as many as `images` images take of all layers'. */
    void (*products)(const struct dry_run *d, double images);
    /* Additions to the sum of gradients: as many as `shards` shards take with all parameters. */
    void (*sums)(const struct dry_run *d, double shards);
    /* One update of all parameters. */
    void (*update)(const struct dry_run *d);
    /* Before a message is sent: status 4 where there is no memory for so many. */
    enum status (*check)(const struct dry_run *d, const struct dry_messages *messages,
                         struct failure *f);
};

#endif
