/* A network: layers, each of which reads the outputs of layers before it, the last one's output
 * being the network's. Shapes are those of one image; how many go through together is said where a
 * network runs (networks/plan.h). */
#ifndef MAXPOOL_NETWORK_H
#define MAXPOOL_NETWORK_H

#include "networks/layer.h"

#include <stddef.h>

struct network {
    char name[64];
    struct tensor_shape input;
    struct layer *layers;
    int count, capacity;
    int classifier;         /* the layer whose input --features asks for; 0: there is none */
    int64_t floats;         /* of all tensors that layers hold */
    int64_t parameters;     /* of those that are trained */
    struct failure failure; /* of the first layer that could not be added */
};

/* A network of no layers, for images of that shape. */
void network_begin(struct network *n, const char *name, struct tensor_shape input);
void network_release(struct network *n);

/* Adds a layer, whose kind, sizes and inputs are set, infers its shapes, and gives its index. After
 * a failure, which stays in n->failure, nothing is added, and indices that are given may be read by
 * later layers all the same. */
int network_add(struct network *n, const struct layer *layer);

/* The failure, if any; status 2 where there is no layer. */
enum status network_finish(struct network *n, struct failure *f);

/* The layer, or NETWORK_INPUT, that is the same floats as this one's output. */
int network_source(const struct network *n, int layer);

/* Forgets the classifier and what comes after it: the output is what it would read. Status 2 where
 * there is none. */
enum status network_keep_features(struct network *n, struct failure *f);

struct tensor_shape network_output(const struct network *n);

/* Multiply-adds of one image. */
double network_multiply_adds(const struct network *n);

/* The same of a training step: forward; the gradients of the weights; and those of the inputs,
 * which the first layer that computes is not asked for. */
double network_training_multiply_adds(const struct network *n);

/* The number of tensors that a layer holds, and the i-th of them. */
int layer_parameter_count(const struct layer *l);
struct parameter_tensor layer_parameter(const struct layer *l, int i);
int64_t parameter_floats(const struct parameter_tensor *t);

/* The floats of its tensors that are trained. */
int64_t layer_trained_floats(const struct layer *l);

/* Its name in files: "layer1.0.conv1.weight". */
void parameter_name(const struct layer *l, const struct parameter_tensor *t, char *text,
                    size_t size);

#endif
