/* Layers, the parts of a network. Each kind is one row, in its own file under networks/layers/. The
 * row says what a layer computes, holds, outputs and costs.
 *
 * To add a kind: write networks/layers/NAME.c with its row, and add its line to
 * networks/layers/kinds.inc (docs/recipes.md). A network that contains it, in
 * tests/networks/test_networks.c, then verifies it. Devices and libraries run a layer by its form
 * (kernels/layer_form.h). Arithmetic that they do not know yet needs a new form, with entries that
 * docs/recipes.md lists back end by back end. */
#ifndef MAXPOOL_LAYER_H
#define MAXPOOL_LAYER_H

#include "harness/base/failure.h"
#include "kernels/layer_form.h"

#include <stdbool.h>
#include <stdint.h>

/* The shape of one image at some point of a network: channels x rows x cols floats, row-major. A
 * vector of n is n x 1 x 1. */
struct tensor_shape {
    int64_t channels, rows, cols;
};

static inline int64_t tensor_elements(struct tensor_shape s)
{
    return s.channels * s.rows * s.cols;
}

enum {
    NETWORK_INPUT = -1,   /* instead of a layer: the images themselves */
    LAYER_NAME = 48,      /* bytes */
    LAYER_PARAMETERS = 4, /* most tensors of a layer */
    TENSOR_DIMENSIONS = 4
};

/* One tensor that a layer holds. */
enum seeded { SEEDED_WEIGHT, SEEDED_BIAS, SEEDED_ZERO, SEEDED_ONE };
struct parameter_tensor {
    const char *suffix; /* after the layer's name and a dot: "weight" */
    int dimensions;
    int64_t lengths[TENSOR_DIMENSIONS];
    int64_t fan_in;     /* terms that one output sums */
    int64_t fan_out;    /* of a weight: outputs that one input contributes to */
    enum seeded seeded; /* initial values without a file */
    bool trained;       /* counts as a parameter of the network; running statistics do not */
};

/* One number that a layer takes besides its inputs, and its name: "kernel". Counts are exact: they
 * are below 2^53. */
struct layer_attribute {
    const char *name;
    double value;
};

/* One layer of a network. Sizes that its kind does not use are 0. */
struct layer {
    const struct layer_kind *kind;
    char name[LAYER_NAME]; /* prefix of its parameters' names: "layer1.0.conv1" */
    int input;             /* index of the layer whose output it reads, or NETWORK_INPUT */
    int other;             /* the second input, if its kind reads two */
    int64_t filters, groups, kernel, stride, padding;
    bool bias;
    double rate;                      /* of a dropout: the fraction of elements that it drops */
    struct tensor_shape in, out;      /* of one image */
    int64_t offset[LAYER_PARAMETERS]; /* of its tensors in the network's parameters, floats */
};

/* How a layer runs, relative to the layers before it. */
enum layer_role {
    ROLE_COMPUTE, /* as a step */
    ROLE_NORM,    /* folded into the convolution before it */
    ROLE_ADD,     /* within the step that computes its input, if no other layer reads that */
    ROLE_CLAMP,   /* as ROLE_ADD */
    ROLE_NOTHING  /* not at all: its output is the floats of its input */
};

struct backward;
struct step;
struct step_weights;
struct portion_of_step;
struct verified_step;
struct expectation;
struct plan;

struct layer_kind {
    const char *name;
    enum layer_role role;
    enum layer_form form; /* what a step of it computes, for devices and libraries */
    bool two;             /* reads two inputs, of one shape */
    /* Sets `out` from `in` and the sizes. Status 2 if no such layer is possible, 4 if its size
     * cannot be counted in bytes; messages do not name the layer. */
    enum status (*shape)(struct layer *l, struct failure *f);
    /* Sets *out to the i-th tensor that the layer holds; false if it has no i-th. NULL: it holds
     * none. */
    bool (*parameter)(const struct layer *l, int i, struct parameter_tensor *out);
    /* Sets *out to the i-th number that the layer takes; false if it has no i-th. NULL: none.
     * Together with inputs and parameters they describe the layer completely to a reader who knows
     * its kind (networks/graph.h). */
    bool (*attribute)(const struct layer *l, int i, struct layer_attribute *out);
    /* Multiply-adds for one image. NULL: none. */
    double (*multiply_adds)(const struct layer *l);
    /* Those that no method can avoid. NULL: all of them. */
    double (*least_multiply_adds)(const struct layer *l);
    float least, most; /* bounds of a ROLE_CLAMP */
    bool folds_norm;   /* a batch norm that follows is folded into it */
    bool finishes;     /* its epilogue adds and clamps, as it stores */
    bool drops;        /* of a ROLE_NOTHING: drops elements in training */

    /* The following are for ROLE_COMPUTE. An add or a clamp that must be a step of its own copies
     * its input. */
    /* Chooses the method, partitions the outputs, counts the scratch, and prepares the weights,
     * once. NULL: planes are distributed and nothing is prepared. */
    enum status (*prepare)(struct step *s, const struct plan *p, struct failure *f);
    void (*release)(struct step *s);
    /* After the parameters have changed: worker `worker` prepares its share of the weights again.
     * NULL: nothing was prepared from them. */
    void (*refresh)(struct step *s, const struct plan *p, int64_t worker);
    /* Sets *out to weights and biases for a device or a library, with the batch norm folded in.
     * NULL: it has none. */
    enum status (*weights)(struct step *s, const struct plan *p, struct step_weights *out,
                           struct failure *f);
    /* Computes a portion of the outputs; if it does not finish itself, the step adds and clamps
     * afterwards. */
    void (*run)(const struct step *s, const struct portion_of_step *portion);
    /* The oracle: output (image, channel, row, col) before the clamp, in double precision from the
     * floats that the step was given. Includes the residual if the kind finishes itself. */
    struct expectation (*expect)(const struct verified_step *j, int64_t image, int64_t channel,
                                 int64_t row, int64_t col);
    const struct backward *backward; /* networks/layers/backward.h; NULL: it is not trained */
};

#endif
