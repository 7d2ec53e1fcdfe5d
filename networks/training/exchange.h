/* How processes that hold shards of one batch come to the same parameters. */
#ifndef MAXPOOL_EXCHANGE_H
#define MAXPOOL_EXCHANGE_H

#include "harness/base/failure.h"
#include "networks/layers/backward.h"

struct trainer;

struct exchange {
    int64_t rank, ranks;
    void *context;
    /* The shards' gradients [first, first + count) are here: they may be sent while the rest is
     * still computed. */
    void (*begin)(const struct exchange *e, struct trainer *t, int64_t first, int64_t count);
    /* Lets messages go on; called between layers. */
    void (*progress)(const struct exchange *e);
    /* Makes the update: afterwards parameters and moments are the new ones wherever they are kept.
     * Sets *exchange_s to the seconds spent waiting. */
    void (*finish)(const struct exchange *e, struct trainer *t, double *exchange_s);
    /* values[first .. first + count) are here; afterwards all `all` of them everywhere. */
    void (*gather)(const struct exchange *e, double *values, int64_t first, int64_t count,
                   int64_t all);
    int64_t (*sum)(const struct exchange *e, int64_t value);
};

#endif
