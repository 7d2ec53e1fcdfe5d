/* Networks for tests: one that has every kind of layer in every role, and parameters in which no
 * layer is the identity. */
#ifndef MAXPOOL_TEST_NETWORK_CASES_H
#define MAXPOOL_TEST_NETWORK_CASES_H

#include "networks/training/trainer.h"

/* Every kind: convolutions (first layer, 3 x 3, grouped, depthwise), batch norm, ReLU and ReLU6
 * taken in and alone, sums taken in and alone, both pools, flatten, dropout, linear. */
void make_every_kind(struct network *n, int64_t size);

/* Every kind that can be trained, in every role: pools that overlap and do not, with a clamp behind
 * them, dropouts behind clamps and alone, groups, strides, windows of one. */
void make_every_trained_kind(struct network *n);

/* Seeded, then batch norms of other scales, means and variances than 1, 0 and 1. Release with
 * free(). */
float *make_parameters(const struct network *n, uint64_t seed);

/* Images of the network, values 0 .. 9. Release with free(). */
float *make_images(const struct network *n, int64_t batch, uint64_t seed);

/* A batch of `images` images and targets, others at every turn, where the trainer takes them. */
void fill_batch(struct trainer *t, int64_t turn, int64_t images);

#endif
