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
    const struct device_peer *peer; /* NULL: kernels of ours */
    int64_t block;                  /* threads a side */
    float *parameters; /* of a network that is trained: there, laid out as here; NULL: each layer
                          has its own, folded */
};

struct device_layer {
    const struct step *step;
    float *weights, *bias;       /* of a convolution; of pooling, the identity; NULL: none */
    bool lent;                   /* they are the engine's */
    struct device_kernel kernel; /* of ours */
    struct launch launch;
    struct conv_task conv; /* of a convolution, without arrays */
    int64_t parts;         /* floats that its pieces' sums take; 0: it has none */
    struct peer_state *peer_state;
    const char *peer_name; /* the library's release, algorithm and mathematics here; NULL: ours */
};

/* The outputs that a step reads and writes, all images, on the device. */
struct layer_arrays {
    const float *from, *beside; /* beside: NULL where nothing is added */
    float *to;
    float *parts; /* as many as any layer takes; steps share them, one at a time */
};

/* Whether a layer of that form has kernels. */
bool device_layer_has(enum layer_form form);

/* Sends the parameters and chooses the kernels; sets step->method. What was opened is closed by
 * device_layer_close, also after a failure. */
enum status device_layer_open(struct device_layer *l, struct step *step, const struct plan *plan,
                              const struct layer_engine *engine, struct failure *f);
void device_layer_close(struct device_layer *l, const struct layer_engine *engine);

/* The convolution that a layer is, without arrays: a fully connected one is that of one pixel. */
struct conv_task device_conv(const struct step *s);

/* Queues the step in the stream: of as many images as it has now. */
enum status device_layer_run(const struct device_layer *l, const struct layer_engine *engine,
                             const struct layer_arrays *a, cudaStream_t stream, struct failure *f);

#endif
