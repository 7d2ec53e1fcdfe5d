/* Exchanges the gradients of a training's shards between ranks. */
#ifndef MAXPOOL_NETWORK_GRADIENTS_H
#define MAXPOOL_NETWORK_GRADIENTS_H

#include "harness/base/failure.h"
#include "networks/training/trainer.h"

/* Strategies by the names of --strategy. Mirrored: each rank sums a part of every layer's
 * gradients, all ranks get the sums, and all update. Central: rank 0 sums, updates and sends the
 * parameters to all. */
enum strategy { STRATEGY_MIRRORED, STRATEGY_CENTRAL };

struct rank_gradients;

/* Allocates the messages of a training step, and becomes the exchange of trainer `t`, which is not
 * open yet. */
enum status rank_gradients_open(struct rank_gradients **out, struct trainer *t,
                                enum strategy strategy, struct failure *f);
void rank_gradients_close(struct rank_gradients *g); /* NULL is fine */

#endif
