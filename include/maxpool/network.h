/* Networks: a model's layers with their parameters, computed for one batch of images at a time.
 *
 * Arrays are float32 in row-major order: images N x C x H x W; parameters have the names and shapes
 * of PyTorch (K x C x k x k, outputs x inputs). */
#ifndef MAXPOOL_INCLUDE_NETWORK_H
#define MAXPOOL_INCLUDE_NETWORK_H

#include <maxpool/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

struct maxpool_model_facts {
    const char *name; /* as the options take it: "resnet18" */
    const char *idea; /* one line */
    bool sized;       /* the sizes of the hidden layers follow the name: "mlp:50-25" */
};

/* Sets *facts to the i-th model. Returns false and leaves *facts untouched if there are no more. */
MAXPOOL_API bool maxpool_get_model(size_t i, struct maxpool_model_facts *facts);

/* Which network to make. A field that is 0 or NULL has the default given here. */
struct maxpool_network_options {
    const char *model;            /* "resnet18", "mlp:50-25"; must be given */
    int64_t channels, rows, cols; /* of an image; default: the model's own */
    int64_t classes;              /* default: the model's own */
    int64_t batch;                /* images that are computed together; default: 1 */
    int64_t threads;              /* that compute a batch; default: 1 */
    const char *method;           /* of convolution, "exact"; NULL: the fastest for each layer */
    const char *weights;          /* a safetensors file; NULL: parameters from the seed */
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

/* Bytes of the arena that the outputs of all layers share. Memory is reused once no layer reads it
 * any more. */
MAXPOOL_API size_t maxpool_network_arena(const struct maxpool_network *network);

/* ---- layers and parameters --------------------------------------------------------------------
 */

struct maxpool_layer {
    const char *name, *kind;      /* "layer1.0.conv1", "conv"; the name may be empty */
    int64_t channels, rows, cols; /* of its output, for one image */
    int64_t parameters;           /* number of trained parameters */
    double multiply_adds;         /* for one image */
};

/* Sets *layer to the i-th layer. Returns false and leaves *layer untouched if there are no more. */
MAXPOOL_API bool maxpool_network_layer(const struct maxpool_network *network, size_t i,
                                       struct maxpool_layer *layer);

enum { MAXPOOL_DIMENSIONS = 4, MAXPOOL_TENSOR_NAME = 96 };
struct maxpool_tensor {
    char name[MAXPOOL_TENSOR_NAME]; /* "layer1.0.conv1.weight" */
    int dimensions;
    int64_t lengths[MAXPOOL_DIMENSIONS];
    bool trained;        /* running statistics are not */
    const float *values; /* as read or seeded; valid as long as the network lives */
};

/* Sets *tensor to the i-th tensor of parameters. Returns false and leaves *tensor untouched if
 * there are no more. */
MAXPOOL_API bool maxpool_network_tensor(const struct maxpool_network *network, size_t i,
                                        struct maxpool_tensor *tensor);

/* ---- running ----------------------------------------------------------------------------------
 *
 * A network holds one arena: one batch at a time. */

/* Runs a whole batch, each layer by all threads, of which the calling one is the first. The other
 * threads are started and ended by the call. The bits do not depend on the number of threads.
 * MAXPOOL_RESOURCE if a thread cannot be started. `failure` may be NULL. */
MAXPOOL_API enum maxpool_status maxpool_network_forward(struct maxpool_network *network,
                                                        const float *input, float *output,
                                                        struct maxpool_failure *failure);

/* The same for callers with their own threads. maxpool_network_begin sets the arrays; then, step by
 * step, each thread t (0 <= t < threads) computes its share of step s (0 <= s < steps). Shares of
 * one step may run at the same time; a step may begin when every share of the previous step has
 * ended. None of these functions allocates. */
MAXPOOL_API void maxpool_network_begin(struct maxpool_network *network, const float *input,
                                       float *output);
MAXPOOL_API int maxpool_network_steps(const struct maxpool_network *network);
MAXPOOL_API void maxpool_network_share(struct maxpool_network *network, int step, int64_t thread);

/* Runs the batch again and compares each step with the oracle. The oracle computes in double
 * precision from the floats that the step was really given, so each bound is that of one operator
 * and does not grow with the depth. Compares every output of every step or, if `drawn` is above 0,
 * the first and the last output of each image and `drawn` randomly drawn ones. MAXPOOL_WRONG names
 * the first layer that is wrong. */
MAXPOOL_API enum maxpool_status maxpool_network_verify(struct maxpool_network *network,
                                                       const float *input, float *output,
                                                       int64_t drawn,
                                                       struct maxpool_failure *failure);

#ifdef __cplusplus
}
#endif

#endif
