/* Networks: a model's layers with their parameters, and one batch of images through them.
 *
 * Arrays are float32 in row-major order: images N x C x H x W, parameters named and shaped as
 * PyTorch has them (K x C x k x k, outputs x inputs). */
#ifndef MAXPOOL_INCLUDE_NETWORK_H
#define MAXPOOL_INCLUDE_NETWORK_H

#include <maxpool/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

struct maxpool_model_facts {
    const char *name; /* as the options take it: "resnet18" */
    const char *idea; /* one line */
    bool sized;       /* the name is followed by the sizes of hidden layers: "mlp:50-25" */
};

/* The i-th model. False, with *facts untouched, from their number on. */
MAXPOOL_API bool maxpool_get_model(size_t i, struct maxpool_model_facts *facts);

/* Which network. Fields that are 0 or NULL have the values that are given here. */
struct maxpool_network_options {
    const char *model;            /* "resnet18", "mlp:50-25"; must be given */
    int64_t channels, rows, cols; /* of an image; the model's own */
    int64_t classes;              /* the model's own */
    int64_t batch;                /* images that go through together; 1 */
    int64_t threads;              /* that a batch is run by; 1 */
    const char *method;           /* of convolution, "exact"; NULL: each layer the fastest */
    const char *weights;          /* a safetensors file; parameters from the seed */
    uint64_t seed;                /* of the parameters without a file */
};

struct maxpool_network;

/* Makes *out: builds the model, reads or seeds its parameters, allocates the arena and packs the
 * weights. On failure *out is NULL: MAXPOOL_USAGE for a model, method, shape or file that does not
 * exist or does not fit, MAXPOOL_UNAVAILABLE where this build cannot read the file,
 * MAXPOOL_RESOURCE where memory is lacking. `failure` may be NULL. */
MAXPOOL_API enum maxpool_status maxpool_make_network(struct maxpool_network **out,
                                                     const struct maxpool_network_options *options,
                                                     struct maxpool_failure *failure);
MAXPOOL_API void maxpool_network_release(struct maxpool_network *network); /* NULL is fine */

/* A batch: images x channels x rows x cols. A vector of n is n x 1 x 1. */
struct maxpool_batch {
    int64_t images, channels, rows, cols;
};
MAXPOOL_API struct maxpool_batch maxpool_network_input(const struct maxpool_network *network);
MAXPOOL_API struct maxpool_batch maxpool_network_output(const struct maxpool_network *network);

/* Bytes of the arena that the outputs of all layers share. A place is used again once nobody reads
 * it any more. */
MAXPOOL_API size_t maxpool_network_arena(const struct maxpool_network *network);

/* ---- layers and parameters --------------------------------------------------------------------
 */

struct maxpool_layer {
    const char *name, *kind;      /* "layer1.0.conv1", "conv"; the name may be empty */
    int64_t channels, rows, cols; /* of its output, for one image */
    int64_t parameters;           /* trained ones */
    double multiply_adds;         /* of one image */
};

/* The i-th layer. False, with *layer untouched, from their number on. */
MAXPOOL_API bool maxpool_network_layer(const struct maxpool_network *network, size_t i,
                                       struct maxpool_layer *layer);

enum { MAXPOOL_DIMENSIONS = 4, MAXPOOL_TENSOR_NAME = 96 };
struct maxpool_tensor {
    char name[MAXPOOL_TENSOR_NAME]; /* "layer1.0.conv1.weight" */
    int dimensions;
    int64_t lengths[MAXPOOL_DIMENSIONS];
    bool trained;        /* running statistics are not */
    const float *values; /* as they were read or seeded; live as long as the network */
};

/* The i-th tensor of parameters. False, with *tensor untouched, from their number on. */
MAXPOOL_API bool maxpool_network_tensor(const struct maxpool_network *network, size_t i,
                                        struct maxpool_tensor *tensor);

/* ---- running ----------------------------------------------------------------------------------
 *
 * A network holds one arena: one batch at a time. */

/* Runs a whole batch, each layer by all threads, of which the calling one is the first. The others
 * are started and ended. The bits do not depend on the number of threads. MAXPOOL_RESOURCE where a
 * thread cannot be started. `failure` may be NULL. */
MAXPOOL_API enum maxpool_status maxpool_network_forward(struct maxpool_network *network,
                                                        const float *input, float *output,
                                                        struct maxpool_failure *failure);

/* The same for callers with threads of their own. maxpool_network_begin sets the arrays; then, step
 * by step, each thread t (0 <= t < threads) computes its share of step s (0 <= s < steps). Shares
 * of one step may run at the same time; a step begins when every share of the one before has ended.
 * None of them allocates. */
MAXPOOL_API void maxpool_network_begin(struct maxpool_network *network, const float *input,
                                       float *output);
MAXPOOL_API int maxpool_network_steps(const struct maxpool_network *network);
MAXPOOL_API void maxpool_network_share(struct maxpool_network *network, int step, int64_t thread);

/* Runs the batch once more and compares each step with the oracle, in double precision from the
 * floats that the step was really given; so each bound is that of one operator and does not grow
 * with the depth. Every output of every step, or, where `drawn` is above 0, the first and the last
 * of each image and so many drawn ones. MAXPOOL_WRONG names the first layer that is wrong. */
MAXPOOL_API enum maxpool_status maxpool_network_verify(struct maxpool_network *network,
                                                       const float *input, float *output,
                                                       int64_t drawn,
                                                       struct maxpool_failure *failure);

#ifdef __cplusplus
}
#endif

#endif
