/* The backward pass of a network's steps on a device (networks/layers/backward.h): gradients of
 * parameters, shard by shard, and gradients of inputs. */
#ifndef MAXPOOL_NETWORK_BACKWARD_H
#define MAXPOOL_NETWORK_BACKWARD_H

#include "cuda/kernels/training/training.h"
#include "cuda/network/layers.h"

struct device_reverse {
    const struct step *step;
    bool products; /* a convolution, or a fully connected layer, which has: */
    struct conv_task conv;
    const struct weight_tiling *tiling; /* of the weight gradient */
    int64_t pieces;      /* of a shard, if each has its own blocks; 0: a block sums all pieces */
    int64_t bias_pieces; /* of a shard for biases, always with their own blocks */
    bool by_lattices;    /* the data gradient is computed by lattice_gradient */
    bool by_convolution; /* the data gradient is a convolution by rotated weights, with: */
    struct conv_task rotated;
    struct device_kernel kernel;
    struct launch launch;
};

/* Device arrays that steps share, one step at a time. */
struct reverse_scratch {
    float *parts;   /* gradients of pieces, or sums of the pieces of a convolution's terms */
    float *rotated; /* rotated weights, or those of lattices */
};

/* The images that a step runs backward, and the device arrays of them. */
struct reverse_arrays {
    int64_t images, shards;
    const float *from;     /* what the step read */
    const float *d_output; /* gradient of its outputs */
    float *gradients;      /* gradients of all parameters */
    float *d_input;
    const float *parameters;
    struct reverse_scratch scratch;
};

/* True if a layer of that form has kernels for its backward pass. */
bool device_reverse_has(enum layer_form form);

/* The batch that all processes share; how sums are cut depends on it alone. */
struct whole_batch {
    int64_t images, shards;
};

/* Chooses the kernels for that batch. Allocates nothing. Status 2 if a layer has
 * no kernels; the message names it. */
enum status device_reverse_open(struct device_reverse *r, const struct step *step,
                                const struct whole_batch *whole, const struct layer_engine *engine,
                                struct failure *f);

/* The floats of the scratch that a step needs, for gradients of that many shards at once. */
struct scratch_floats {
    int64_t parts, rotated;
};
struct scratch_floats device_reverse_scratch(const struct device_reverse *r, int64_t shards);

/* Each queues its part of the backward pass in the stream. */
enum status device_reverse_parameters(const struct device_reverse *r,
                                      const struct reverse_arrays *a, cudaStream_t stream,
                                      struct failure *f);
enum status device_reverse_input(const struct device_reverse *r, const struct reverse_arrays *a,
                                 cudaStream_t stream, struct failure *f);

#endif
