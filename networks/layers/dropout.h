/* Dropout: Srivastava et al. (2014), "Dropout: a simple way to prevent neural networks from
 * overfitting", JMLR 15, in the form that scales while it trains: an element is 0 with probability
 * `rate`, and divided by 1 - rate otherwise. Which elements those are is a pure function of seed,
 * step, sample, layer and element, so that whoever computes an element drops the same. */
#ifndef MAXPOOL_LAYERS_DROPOUT_H
#define MAXPOOL_LAYERS_DROPOUT_H

#include "kernels/isa.h"
#include "networks/layer.h"

/* What the draws of a training step hang on. */
struct draws {
    uint64_t seed;
    int64_t step;
    int64_t first_image; /* of the images here, within the whole batch */
};

/* The same for whoever drops by networks/layers/dropout_mask.h: the key of the layer's step, the
 * first image here, and below which lot an element is dropped. */
struct dropout_bits {
    uint64_t key;
    int64_t first_image, dropped;
};

struct dropout_bits dropout_bits(const struct draws *d, const struct layer *l);

/* Drops and scales the elements [element, element + count) of an image, which lie at `values`. What
 * is done to a layer's outputs going forward is done to their gradients going back. */
void dropout_run(const struct draws *d, const struct layer *l, int64_t image, int64_t element,
                 float *values, int64_t count, enum isa isa);

/* For oracles: whether an element stays, and by what it is multiplied then. */
bool dropout_keeps(const struct draws *d, const struct layer *l, int64_t image, int64_t element);
double dropout_scale(const struct layer *l);

#endif
