/* Networks for tests: one that has every kind of layer in every role, and parameters in which no
 * layer is the identity. */
#ifndef MAXPOOL_TEST_NETWORK_CASES_H
#define MAXPOOL_TEST_NETWORK_CASES_H

#include "networks/training/trainer.h"

/* Every kind: convolutions (first layer, 3 x 3, grouped, depthwise), batch norm, ReLU and ReLU6
 * fused and alone, sums fused and alone, both pools, flatten, dropout, linear. */
void make_every_kind(struct network *n, int64_t size);

/* Every kind that can be trained, in every role: pools that overlap and do not, followed by a
 * clamp, dropouts after clamps and alone, groups, strides, windows of one. */
void make_every_trained_kind(struct network *n);

/* A network of the suite, its images of that size (0: its own); ends the program if there is none.
 */
struct network made(const char *name, int64_t image_size);

/* Seeded parameters; batch norms have scales, means and variances other than 1, 0 and 1. Release
 * with free(). */
float *make_parameters(const struct network *n, uint64_t seed);

/* Images of the network, values 0 .. 9. Release with free(). */
float *make_images(const struct network *n, int64_t batch, uint64_t seed);

/* The largest difference, divided by the largest magnitude; infinite if a value found is none. */
double distance(const float *found, const float *right, int64_t count);

/* Fills the trainer's batch with `images` images and targets, different ones in every turn. */
void fill_batch(struct trainer *t, int64_t turn, int64_t images);

#endif
