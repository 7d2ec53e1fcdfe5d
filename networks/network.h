/* A network: layers, each of which reads the outputs of earlier layers. The last layer's output is
 * the network's. Shapes are those of one image; the batch is set where a network runs
 * (networks/plan.h). */
#ifndef MAXPOOL_NETWORK_H
#define MAXPOOL_NETWORK_H

#include "networks/layer.h"

#include <stddef.h>

struct network {
    char name[64];
    struct tensor_shape input;
    struct layer *layers;
    int count, capacity;
    int classifier;         /* --features outputs the input of this layer; 0: there is none */
    int64_t floats;         /* of all tensors of all layers */
    int64_t parameters;     /* floats of the trained tensors */
    struct failure failure; /* of the first layer that could not be added */
};

/* Begins a network without layers, for images of shape `input`. */
void network_begin(struct network *n, const char *name, struct tensor_shape input);
void network_release(struct network *n);

/* Adds a layer whose kind, sizes and inputs are set, infers its shapes, and returns its index.
 * After a failure, which stays in n->failure, adds nothing and returns NETWORK_INPUT; later layers
 * may use that index all the same. */
int network_add(struct network *n, const struct layer *layer);

/* Returns the failure, if any; status 2 if there is no layer. */
enum status network_finish(struct network *n, struct failure *f);

/* The layer, or NETWORK_INPUT, whose output consists of the same floats as this layer's output. */
int network_source(const struct network *n, int layer);

/* The number of layers that read this layer's output, directly or through layers that compute
 * nothing. */
int network_readers(const struct network *n, int layer);

/* Removes the classifier and the layers after it: the network's output becomes the classifier's
 * input. Status 2 if there is no classifier. */
enum status network_keep_features(struct network *n, struct failure *f);

struct tensor_shape network_output(const struct network *n);

/* Multiply-adds for one image. */
double network_multiply_adds(const struct network *n);

/* The same for a training step: forward, weight gradients and data gradients. The first layer that
 * computes needs no data gradient. */
double network_training_multiply_adds(const struct network *n);

/* The number of tensors that a layer holds, the i-th of them, and the floats of one. */
int layer_parameter_count(const struct layer *l);
struct parameter_tensor layer_parameter(const struct layer *l, int i);
int64_t parameter_floats(const struct parameter_tensor *t);

/* Floats of the layer's trained tensors. */
int64_t layer_trained_floats(const struct layer *l);

/* The tensor's name in files: "layer1.0.conv1.weight". */
void parameter_name(const struct layer *l, const struct parameter_tensor *t, char *text,
                    size_t size);

#endif
