/* How processes that hold shards of one batch compute the same parameters. All functions are called
 * by every process, in the same order. */
#ifndef MAXPOOL_GRADIENT_EXCHANGE_H
#define MAXPOOL_GRADIENT_EXCHANGE_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stdint.h>

struct trainer;

struct gradient_exchange {
    int64_t rank, ranks;
    bool updates; /* this process makes the update, and has the optimizer's moments */
    bool sends;   /* it alone does: the others receive the parameters from it */
    void *context;
    /* The gradients [first, first + count) of this process's shards are complete: they may be sent
     * while those of other layers are still computed. */
    void (*begin)(const struct gradient_exchange *e, struct trainer *t, int64_t first,
                  int64_t count);
    /* Lets messages progress; called between layers. */
    void (*progress)(const struct gradient_exchange *e);
    /* Sums all shards' gradients in their order and makes the update: afterwards the parameters are
     * the new ones. Sets *exchange_s to the exposed communication time. */
    void (*finish)(const struct gradient_exchange *e, struct trainer *t, double *exchange_s);
    /* In place of finish, after a failure: completes the messages of all layers that were begun,
     * and forgets what they brought. */
    void (*abandon)(const struct gradient_exchange *e);
    /* values[first .. first + count) are those of this process; afterwards all values are set. */
    void (*gather)(const struct gradient_exchange *e, double *values, int64_t first, int64_t count);
    int64_t (*sum)(const struct gradient_exchange *e, int64_t value);
    void (*largest)(const struct gradient_exchange *e, double *values, int count);
    /* Returns one status for all processes: STATUS_OK if all have it, otherwise the status of the
     * lowest rank that failed, whose message all of them get. */
    enum status (*common_status)(enum status status, struct failure *f);
};

#endif
