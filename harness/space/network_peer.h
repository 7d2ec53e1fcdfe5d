/* Whole networks computed by another library: a list of layers, in execution order. The library
 * prepares all of them once, in its own layouts, and keeps the outputs of every layer, so that each
 * can be compared with its definition. */
#ifndef MAXPOOL_NETWORK_PEER_H
#define MAXPOOL_NETWORK_PEER_H

#include "harness/base/failure.h"
#include "kernels/layer_form.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PEER_IMAGES = -1, PEER_NOTHING = -2 }; /* instead of a layer's index */

/* Images are `images` x channels x rows x cols, weights K x C/G x k x k or out x in, row-major. */
struct peer_layer {
    enum layer_form form;
    int from;          /* the layer whose output it reads, or PEER_IMAGES */
    int residual_from; /* the layer whose output is added to its own, or PEER_NOTHING */
    int64_t images;
    int64_t channels, rows, cols; /* of its input */
    int64_t filters, out_rows, out_cols;
    int64_t kernel, stride, padding, groups; /* 0 if the form has none */
    const float *weights, *bias;             /* NULL: none */
    bool clamped;                            /* the output is clamped, after the sum */
    float least, most;                       /* the bounds; `most` may be infinite */
};

struct network_peer_job {
    const struct peer_layer *layers;
    int count;
    float *images;  /* of the batch; only read, though libraries require a non-const pointer */
    float *outputs; /* of the last layer, row-major */
    int64_t threads;
};

struct peer_state;

struct network_peer {
    /* Whether the library has layers of that form. */
    bool (*computes)(enum layer_form form);
    size_t state_bytes;
    /* As struct peer's. After it returns, the layers and weights of the job are no longer read;
     * biases, images and outputs must stay at their addresses until release. Status 3 if the
     * library cannot compute a layer. */
    enum status (*prepare)(const struct network_peer_job *job, struct peer_state *state,
                           const char **isa, struct failure *f);
    /* Runs layer i alone; running all of them in order runs the network. */
    enum status (*execute)(struct peer_state *state, int layer, struct failure *f);
    /* Returns the library's own name for its way to compute the layer; valid until release. */
    const char *(*name)(const struct peer_state *state, int layer);
    /* Copies the output of layer i, row-major. To be called before a later layer adds to it in
     * place. */
    enum status (*fetch)(struct peer_state *state, int layer, float *to, struct failure *f);
    /* Overwrites all outputs that the library keeps with NaN. */
    void (*poison)(struct peer_state *state);
    void (*release)(struct peer_state *state);
};

#endif
