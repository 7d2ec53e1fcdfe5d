/* What the two directions of a convolution layer share. */
#ifndef MAXPOOL_LAYERS_CONV_LAYER_H
#define MAXPOOL_LAYERS_CONV_LAYER_H

#include "networks/plan.h"

enum { CONV_WEIGHT, CONV_BIAS };

/* The convolution of one image. */
struct conv_shape conv_layer_shape(const struct layer *l);

/* Packs the weights and copies the biases of a step without a batch norm once more. */
void conv_pack_again(struct step *s, const struct plan *p);

#endif
