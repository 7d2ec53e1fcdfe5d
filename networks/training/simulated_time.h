/* Steps of a simulated rank: each part takes seconds that were measured elsewhere, and computes
 * nothing. Messages are sent all the same. */
#ifndef MAXPOOL_TRAINING_SIMULATED_TIME_H
#define MAXPOOL_TRAINING_SIMULATED_TIME_H

#include "harness/base/failure.h"
#include "networks/network.h"

/* The seconds of an image are dealt to the layers, forward and backward, by their multiply-adds:
 * one product forward, one for the gradients of the parameters, and one for those of the input,
 * which the first product is not asked for. Layers without a product take nothing. */
struct pace {
    double image_s;  /* forward, loss and backward of an image, */
    double sum_s;    /* adding the gradients of all parameters, of one shard, to their sum, */
    double update_s; /* and the update of all parameters */
};

/* Spends one product of layer `l` of network `n`, for so many images. */
void pace_product(const struct pace *p, const struct network *n, const struct layer *l,
                  int64_t images);

/* Spends the adding of so many gradients, of all shards together. */
void pace_sum(const struct pace *p, const struct network *n, double gradients);

void pace_update(const struct pace *p);

/* Bytes that all simulated ranks of one process take together: each its copy of the program, and
 * the messages of a step, of which as good as all are under way at once. Where gradients are
 * mirrored every rank receives a part of every shard of the others, and sends them its sum; where
 * they are central the first rank alone receives. */
size_t pace_bytes(const struct network *n, int64_t shards, int64_t ranks, bool mirrored);

/* Status 4 where they are not available: before a message is sent, though memory is folded. */
enum status pace_check(const struct network *n, int64_t shards, int64_t ranks, bool mirrored,
                       struct failure *f);

#endif
