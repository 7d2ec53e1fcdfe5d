/* The steps of a network run backward on a device (networks/layers/backward.h): gradients of
 * parameters, shard by shard, and gradients of inputs. */
#ifndef MAXPOOL_NETWORK_BACKWARD_H
#define MAXPOOL_NETWORK_BACKWARD_H

#include "cuda/kernels/training.h"
#include "cuda/network/layers.h"

struct device_reverse {
    const struct step *step;
    bool products; /* a convolution, or a fully connected layer: */
    struct conv_task conv;
    int64_t pieces; /* of a shard, where each has blocks of its own; 0: blocks sum all of them */
    int64_t bias_pieces; /* likewise for biases, which always have them */
    bool turns;          /* the input's gradients are a convolution by turned weights: */
    struct conv_task turned;
    struct device_kernel kernel;
    struct launch launch;
};

/* What steps share, one at a time: arrays on the device. */
struct reverse_scratch {
    float *parts;  /* weights, then biases, of pieces; sums of pieces of a convolution's terms */
    float *turned; /* weights */
};

/* The arrays of a step run backward, on the device. */
struct reverse_arrays {
    const float *from;     /* what the step read */
    const float *d_output; /* of its outputs */
    float *gradients;      /* of all parameters */
    float *d_input;
    const float *parameters;
    struct reverse_scratch scratch;
};

/* Whether a layer of that form has kernels that run it backward. */
bool device_reverse_has(enum layer_form form);

/* Chooses kernels, for a batch of so many shards. Nothing is allocated. Status 2 names a layer that
 * has none. */
enum status device_reverse_open(struct device_reverse *r, const struct step *step, int64_t shards,
                                const struct layer_engine *engine, struct failure *f);

/* Floats that its scratch takes. */
struct scratch_floats {
    int64_t parts, turned;
};
struct scratch_floats device_reverse_scratch(const struct device_reverse *r, int64_t shards);

/* Each queues its part in the stream. */
enum status device_reverse_parameters(const struct device_reverse *r, int64_t shards,
                                      const struct reverse_arrays *a, cudaStream_t stream,
                                      struct failure *f);
enum status device_reverse_input(const struct device_reverse *r, const struct reverse_arrays *a,
                                 cudaStream_t stream, struct failure *f);

#endif
