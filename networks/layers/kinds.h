/* The kinds of layers, and functions by which a model's file adds one of each. Every function
 * returns the index of the layer it added. */
#ifndef MAXPOOL_LAYERS_KINDS_H
#define MAXPOOL_LAYERS_KINDS_H

#include "networks/network.h"

#define KIND(name) extern const struct layer_kind name##_layer;
#include "networks/layers/kinds.inc"

extern const struct layer_kind *const layer_kinds[];
extern const int layer_kind_count;

/* A window's size, and how it moves over the image. */
struct window {
    int64_t kernel, stride, padding;
};

int add_conv(struct network *n, const char *name, int input, int64_t filters, struct window window,
             int64_t groups, bool bias);
int add_linear(struct network *n, const char *name, int input, int64_t outputs);
int add_maxpool(struct network *n, const char *name, int input, struct window window);
/* Drops the fraction `rate` of the elements in training, and scales the others up. */
int add_dropout(struct network *n, const char *name, int input, double rate);
int add_sum(struct network *n, const char *name, int input, int other);

/* Kinds without sizes: batchnorm, relu, relu6, average pool over whole planes, flatten. */
int add_plain(struct network *n, const struct layer_kind *kind, const char *name, int input);

#endif
