/* Whole networks by another library: a list of layers, in the order in which they run. The library
 * prepares all of them once, in layouts of its own, and keeps the outputs of every layer, so that
 * each can be compared with its definition. */
#ifndef MAXPOOL_NETWORK_PEER_H
#define MAXPOOL_NETWORK_PEER_H

#include "harness/base/failure.h"
#include "kernels/layer_form.h"

#include <stdbool.h>
#include <stdint.h>

enum { PEER_IMAGES = -1, PEER_NOTHING = -2 }; /* in place of a layer's index */

/* Images are `images` x channels x rows x cols, weights K x C/G x k x k or out x in, row-major. */
struct peer_layer {
    enum layer_form form;
    int from;   /* the layer whose output it reads, or PEER_IMAGES */
    int beside; /* the one that is added to its own, or PEER_NOTHING */
    int64_t images;
    int64_t channels, rows, cols; /* of its input */
    int64_t filters, out_rows, out_cols;
    int64_t kernel, stride, padding, groups; /* 0 where the form has none */
    const float *weights, *bias;             /* NULL: none */
    bool clamped;                            /* its output, after the sum */
    float least, most;                       /* `most` may be infinite */
};

struct network_peer_job {
    const struct peer_layer *layers;
    int count;
    float *images;  /* of the batch; read only, though libraries ask for a plain pointer */
    float *outputs; /* of the last layer, row-major */
    int64_t threads;
};

struct peer_state;

struct network_peer {
    /* Whether it has a layer of that form. */
    bool (*computes)(enum layer_form form);
    /* As struct peer's. The layers and weights of the job are no longer read when it returns;
     * biases, images and outputs stay where they are until release. Status 3 where the library
     * cannot do a layer. */
    enum status (*prepare)(const struct network_peer_job *job, struct peer_state **out,
                           const char **isa, struct failure *f);
    /* Layer i alone; all of them in turn are the network. */
    enum status (*execute)(struct peer_state *state, int layer, struct failure *f);
    /* The library's own name of how it computes the layer; lasts until release. */
    const char *(*name)(const struct peer_state *state, int layer);
    /* The output of layer i, row-major; before a later layer has added to it in place. */
    enum status (*fetch)(struct peer_state *state, int layer, float *to, struct failure *f);
    /* Overwrites all outputs that the library keeps with NaN. */
    void (*poison)(struct peer_state *state);
    void (*release)(struct peer_state *state); /* NULL is fine */
};

#endif
