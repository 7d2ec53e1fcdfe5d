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

/* Computes worker `worker`'s share of a stage. A stage begins after all workers have ended the one
 * before. */
typedef void backward_stage(const struct reverse *r, int64_t worker, void *scratch);

struct backward {
    /* Allocates, and counts the scratch. NULL: neither is needed. */
    enum status (*prepare)(struct reverse *r, struct failure *f);
    void (*release)(struct reverse *r);
    /* As the layer's refresh(). */
    void (*refresh)(const struct reverse *r, int64_t worker);
    /* The stages that compute the gradients of the parameters, unused ones NULL; then the stage
     * that computes the gradient of the input. */
    backward_stage *parameters[BACKWARD_STAGES];
    backward_stage *input;
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

/* Worker `worker`'s part [*first, *end) of `units`; parts differ by at most one unit. */
static inline void backward_share(int64_t units, int64_t workers, int64_t worker, int64_t *first,
                                  int64_t *end)
{
    *first = units / workers * worker + (worker < units % workers ? worker : units % workers);
    *end = *first + units / workers + (worker < units % workers);
}

#endif
