/* Layers: what networks are made of. Each kind is one row, in a file of its own under
 * networks/layers/; whoever needs to know what a layer makes, holds, costs or computes asks its
 * row.
 *
 * To add a kind: write networks/layers/NAME.c with its row, and add its line to
 * networks/layers/kinds.inc (docs/recipes.md). A network that has it, in
 * tests/networks/test_networks.c, then verifies it. Devices and libraries run it by its
 * form (kernels/layer_form.h); arithmetic that they do not know yet is a form more, with entries
 * that docs/recipes.md lists back end by back end. */
#ifndef MAXPOOL_LAYER_H
#define MAXPOOL_LAYER_H

#include "harness/base/failure.h"
#include "kernels/layer_form.h"

#include <stdbool.h>
#include <stdint.h>

/* What one image is at some place of a network: channels x rows x cols floats, row-major. A vector
 * of n is n x 1 x 1. */
struct tensor_shape {
    int64_t channels, rows, cols;
};

static inline int64_t tensor_elements(struct tensor_shape s)
{
    return s.channels * s.rows * s.cols;
}

enum {
    NETWORK_INPUT = -1,   /* in place of a layer: the images themselves */
    LAYER_NAME = 48,      /* bytes */
    LAYER_PARAMETERS = 4, /* tensors of a layer at the most */
    TENSOR_DIMENSIONS = 4
};

/* One tensor that a layer holds. */
enum seeded { SEEDED_HE, SEEDED_BIAS, SEEDED_ZERO, SEEDED_ONE };
struct parameter_tensor {
    const char *suffix; /* behind the layer's name and a point: "weight" */
    int dimensions;
    int64_t lengths[TENSOR_DIMENSIONS];
    int64_t fan_in;     /* terms that one output sums */
    enum seeded seeded; /* what it is without a file */
    bool trained;       /* counts as a parameter of the network; running statistics do not */
};

/* One number that a layer takes beside its inputs, by its name: "kernel". Counts are exact: they
 * are below 2^53. */
struct layer_attribute {
    const char *name;
    double value;
};

/* One layer of a network. Sizes that its kind does not have are 0. */
struct layer {
    const struct layer_kind *kind;
    char name[LAYER_NAME]; /* of its parameters: "layer1.0.conv1" */
    int input;             /* the layer whose output it reads, by its index, or NETWORK_INPUT */
    int other;             /* the second one, of a kind that reads two */
    int64_t filters, groups, kernel, stride, padding;
    bool bias;
    double rate;                      /* of a dropout: the share of elements that it drops */
    struct tensor_shape in, out;      /* of one image */
    int64_t offset[LAYER_PARAMETERS]; /* of each of its tensors in the network's, floats */
};

/* What a layer is to those before it when a network runs. */
enum layer_role {
    ROLE_COMPUTE, /* a step of its own */
    ROLE_NORM,    /* folded into the convolution before it */
    ROLE_ADD,     /* done by the step whose output it is given, where nobody else reads that */
    ROLE_CLAMP,   /* likewise */
    ROLE_NOTHING  /* the same floats, seen otherwise */
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
    /* Sets `out` from `in` and the sizes. Status 2 where there is no such layer, 4 where it cannot
     * be counted in bytes; messages do not name the layer. */
    enum status (*shape)(struct layer *l, struct failure *f);
    /* The i-th tensor it holds; false from their number on. NULL: none. */
    bool (*parameter)(const struct layer *l, int i, struct parameter_tensor *out);
    /* The i-th number it takes; false from their number on. NULL: none. With inputs and
     * parameters they say all that the layer is, to a reader who knows its kind (networks/graph.h).
     */
    bool (*attribute)(const struct layer *l, int i, struct layer_attribute *out);
    /* Multiply-adds of one image. NULL: none. */
    double (*multiply_adds)(const struct layer *l);
    /* Those that no method can do without. NULL: all of them. */
    double (*least_multiply_adds)(const struct layer *l);
    float least, most; /* of a ROLE_CLAMP */
    bool folds_norm;   /* takes in a batch norm that follows */
    bool finishes;     /* adds and clamps itself, as it stores */
    bool drops;        /* of a ROLE_NOTHING: drops elements when the network is trained */

    /* Of a ROLE_COMPUTE; an add or a clamp that must be a step of its own copies its input. */
    /* Chooses the method, partitions, counts scratch, and prepares the weights, once. NULL: planes
     * are distributed and nothing is prepared. */
    enum status (*prepare)(struct step *s, const struct plan *p, struct failure *f);
    void (*release)(struct step *s);
    /* The parameters have changed: worker `worker` prepares its share of the weights again. NULL:
     * nothing was made of them. */
    void (*refresh)(struct step *s, const struct plan *p, int64_t worker);
    /* Weights and biases as a device or a library is to have them, with what is folded in. NULL:
     * it has none. */
    enum status (*weights)(struct step *s, const struct plan *p, struct step_weights *out,
                           struct failure *f);
    /* Computes some outputs, before what is added and clamped. */
    void (*run)(const struct step *s, const struct portion_of_step *portion);
    /* The oracle: output (image, channel, row, col), in double precision from the floats that the
     * step was given; of a kind that finishes, with what is added to it, before it is clamped. */
    struct expectation (*expect)(const struct verified_step *j, int64_t image, int64_t channel,
                                 int64_t row, int64_t col);
    const struct backward *backward; /* networks/layers/backward.h; NULL: it is not trained */
};

#endif
