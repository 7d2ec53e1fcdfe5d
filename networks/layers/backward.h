/* A step of a network run backward: from its output gradient to those of its parameters and of its
 * input. The output gradient has passed back through what the step drops and clamps already
 * (networks/training/). */
#ifndef MAXPOOL_LAYERS_BACKWARD_H
#define MAXPOOL_LAYERS_BACKWARD_H

#include "kernels/oracle.h"
#include "networks/plan.h"

/* Images [ends[s - 1], ends[s]) are shard s of those here; the first begins at 0. */
struct shards {
    int64_t count;
    int64_t *ends;
};

/* Where gradients go: of parameter i of the network to values[i], summed over the shards in their
 * order; or, where `apart` is not 0, those of shard s to values[s * apart + i]. */
struct gradients {
    float *values;
    int64_t apart;
};

struct reverse {
    struct step *step;
    const struct plan *plan;
    const struct shards *shards;
    struct gradients gradients;
    const float *d_output; /* all images */
    float *d_input;        /* NULL: nobody asks for it */
    size_t scratch_bytes;  /* of one worker */
    void *own;             /* what the kind keeps */
};

enum { BACKWARD_STAGES = 3 };

/* Stage `stage`, worker `worker`'s share; all workers have ended one stage before any begins the
 * next. */
typedef void backward_stage(const struct reverse *r, int64_t worker, void *scratch);

struct backward {
    /* Allocates, and counts the scratch. NULL: nothing is. */
    enum status (*prepare)(struct reverse *r, struct failure *f);
    void (*release)(struct reverse *r);
    /* As the layer's refresh(). */
    void (*refresh)(const struct reverse *r, int64_t worker);
    /* The gradients of the parameters, then that of the input; NULL from their number on. */
    backward_stage *parameters[BACKWARD_STAGES];
    backward_stage *input;
    /* The oracles, in double precision from the floats that are there: value `at` of parameter
     * `tensor`, summed over the images [first, end); and element (image, channel, row, col). */
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

/* Worker `worker`'s part [*first, *end) of `units`, near-equal. */
static inline void backward_share(int64_t units, int64_t workers, int64_t worker, int64_t *first,
                                  int64_t *end)
{
    *first = units / workers * worker + (worker < units % workers ? worker : units % workers);
    *end = *first + units / workers + (worker < units % workers);
}

#endif
