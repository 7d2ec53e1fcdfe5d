/* The gradients of a training's shards between ranks. */
#ifndef MAXPOOL_NETWORK_GRADIENTS_H
#define MAXPOOL_NETWORK_GRADIENTS_H

#include "harness/base/failure.h"
#include "networks/training/trainer.h"

/* As --strategy names them. Mirrored: each rank sums a part of every layer's gradients, all get the
 * sums, and all make the update. Central: rank 0 sums, updates and sends the parameters out. */
enum strategy { STRATEGY_MIRRORED, STRATEGY_CENTRAL };

struct rank_gradients;

/* Memory for the messages of a step of a trainer that is not open yet, whose exchange it becomes.
 */
enum status rank_gradients_open(struct rank_gradients **out, struct trainer *t,
                                enum strategy strategy, struct failure *f);
void rank_gradients_close(struct rank_gradients *g); /* NULL is fine */

#endif
