/* Dropout: Srivastava et al. (2014), "Dropout: a simple way to prevent neural networks from
 * overfitting", JMLR 15, in the form that scales in training: an element is 0 with probability
 * `rate`, and divided by 1 - rate otherwise. The dropped elements are a pure function of seed,
 * step, sample, layer and element, so that whoever computes an element makes the same decision. */
#ifndef MAXPOOL_LAYERS_DROPOUT_H
#define MAXPOOL_LAYERS_DROPOUT_H

#include "kernels/isa.h"
#include "networks/layer.h"

/* What the dropped elements of a training step depend on. */
struct draws {
    uint64_t seed;
    int64_t step;
    int64_t first_image; /* index of this process's first image in the whole batch */
};

/* The same for users of networks/layers/dropout_mask.h: the key of layer and step, the first image
 * of this process, and the number below which mask bits drop an element. */
struct dropout_bits {
    uint64_t key;
    int64_t first_image, dropped;
};

struct dropout_bits dropout_bits(const struct draws *d, const struct layer *l);

/* Drops and scales the elements [element, element + count) of an image, stored at `values`. Used
 * for a layer's outputs forward and for their gradients backward. */
void dropout_run(const struct draws *d, const struct layer *l, int64_t image, int64_t element,
                 float *values, int64_t count, enum isa isa);

/* For oracles: whether an element is kept, and the factor of kept elements. */
bool dropout_keeps(const struct draws *d, const struct layer *l, int64_t image, int64_t element);
double dropout_scale(const struct layer *l);

#endif
