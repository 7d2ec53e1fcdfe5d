/* A step of a network run backward: from its output gradient to the gradients of its parameters and
 * of its input. The output gradient has already passed back through the step's dropout and clamp
 * (networks/training/). */
#ifndef MAXPOOL_LAYERS_BACKWARD_H
#define MAXPOOL_LAYERS_BACKWARD_H

#include "kernels/oracle.h"
#include "networks/plan.h"

/* Shard s consists of the images [ends[s - 1], ends[s]) of this process; the first shard begins at
 * 0. */
struct shards {
    int64_t count;
    int64_t *ends;
};

/* Where gradients are stored. If `shard_stride` is 0: the gradient of the network's parameter i in
 * values[i], summed over the shards in their order. Otherwise: that of shard s in
 * values[s * shard_stride + i]. */
struct gradients {
    float *values;
    int64_t shard_stride;
};

struct reverse {
    struct step *step;
    const struct plan *plan;
    const struct shards *shards;
    struct gradients gradients;
    const float *d_output; /* all images */
    float *d_input;        /* NULL: not needed */
    size_t scratch_bytes;  /* of one worker */
    void *own;             /* the kind's own data */
};

enum { BACKWARD_STAGES = 3 };

/* A stage begins after all workers have ended the one before. */
struct backward_stage {
    /* Computes the pieces that a worker takes; NULL: there is no such stage. */
    void (*run)(const struct reverse *r, const struct shares *shares, int64_t worker,
                void *scratch);
    /* The number of pieces into which each worker's share is cut. */
    int64_t (*pieces)(const struct reverse *r);
};

struct backward {
    /* Allocates, and counts the scratch. NULL: neither is needed. */
    enum status (*prepare)(struct reverse *r, struct failure *f);
    void (*release)(struct reverse *r);
    /* As the layer's refresh(). */
    void (*refresh)(const struct reverse *r, int64_t worker);
    /* The stages that compute the gradients of the parameters; then the stage that computes the
     * gradient of the input. */
    struct backward_stage parameters[BACKWARD_STAGES], input;
    /* The oracles, in double precision from the floats in memory: value `at` of the gradient of
     * parameter `tensor`, summed over the images [first, end); and element (image, channel, row,
     * col) of the gradient of the input. */
    struct expectation (*expect_parameter)(const struct reverse *r, int tensor, int64_t at,
                                           int64_t first, int64_t end);
    struct expectation (*expect_input)(const struct reverse *r, int64_t image, int64_t channel,
                                       int64_t row, int64_t col);
};

extern const struct backward conv_backward, linear_backward, maxpool_backward;

static inline int64_t shard_first(const struct shards *s, int64_t shard)
{
    return shard == 0 ? 0 : s->ends[shard - 1];
}

#endif
