/* The steps of a network on a device: the parameters of each, folded and sent once, and the kernels
 * or the library that compute it. */
#ifndef MAXPOOL_CUDA_NETWORK_LAYERS_H
#define MAXPOOL_CUDA_NETWORK_LAYERS_H

#include "cuda/device.h"
#include "cuda/kernels/launch.h"
#include "cuda/peers/peer.h"
#include "networks/plan.h"

/* Who computes convolutions and fully connected layers, and where. */
struct layer_engine {
    const struct device *device;
    const struct device_peer *peer; /* NULL: our kernels */
    int64_t block;                  /* threads per side */
    float *parameters; /* of a network in training: on the device, in the host's layout; NULL: each
                          layer has its own, folded */
};

struct device_layer {
    const struct step *step;
    float *weights, *bias;       /* of a convolution; of pooling, the identity; NULL: none */
    bool lent;                   /* they belong to the engine */
    struct device_kernel kernel; /* one of ours */
    struct launch launch;
    struct conv_task conv; /* of a convolution, without arrays */
    int64_t parts;         /* floats that the sums of its pieces take; 0: no pieces */
    struct peer_state *peer_state;
    const char *peer_name; /* the library's release, algorithm and math mode; NULL: our kernels */
    bool fused;            /* the library adds bias and residual, and clamps, in the same call */
};

/* The device arrays that a step reads and writes, for all images. */
struct layer_arrays {
    const float *from, *residual; /* residual: NULL if there is none */
    float *to;
    float *parts; /* enough for any layer; used by one step at a time */
};

/* True if a layer of that form has kernels. */
bool device_layer_has(enum layer_form form);

/* Sends the parameters and chooses the kernels; sets step->method. What was opened is closed by
 * device_layer_close, also after a failure. */
enum status device_layer_open(struct device_layer *l, struct step *step, const struct plan *plan,
                              const struct layer_engine *engine, struct failure *f);
void device_layer_close(struct device_layer *l, const struct layer_engine *engine);

/* Returns the convolution that a step computes, without arrays. A fully connected layer is a
 * convolution of one pixel. */
struct conv_task device_conv(const struct step *s);

/* If the library can fuse the step, measures it with and without and keeps the faster way. The
 * arrays must have been written. The stream is idle afterwards. */
enum status device_layer_choose(struct device_layer *l, const struct layer_engine *engine,
                                const struct layer_arrays *a, cudaStream_t stream,
                                struct failure *f);

/* Queues the step in the stream, for the number of images that it has now. */
enum status device_layer_run(const struct device_layer *l, const struct layer_engine *engine,
                             const struct layer_arrays *a, cudaStream_t stream, struct failure *f);

#endif
