/* Optimizers: how gradients change parameters. Each is one row, in a file of its own. */
#ifndef MAXPOOL_OPTIMIZER_H
#define MAXPOOL_OPTIMIZER_H

#include "kernels/isa.h"
#include "kernels/oracle.h"

#include <stdint.h>

enum { MOMENTS = 2 };

/* `count` parameters, their gradients, and what the optimizer keeps of each; all begin as 0. */
struct update {
    float *parameters;
    const float *gradients;
    float *moments[MOMENTS];
    int64_t count;
    double rate;           /* the learning rate */
    int64_t step;          /* 1 at the first update */
    float scales[MOMENTS]; /* what begin() makes of these two */
};

/* One parameter's values before an update. */
struct update_before {
    float parameter, gradient, moments[MOMENTS];
};

/* Right values after it. Each is worked out from the floats that the one before it really became.
 */
struct update_after {
    struct expectation parameter, moments[MOMENTS];
};

typedef void update_function(const struct update *u);

/* The update of a network that is made in pieces: any parameters of `all` are one. */
struct updating {
    struct update all;
    int moments; /* of those that `all` holds */
    update_function *run;
};

static inline struct update update_piece(const struct updating *u, int64_t first, int64_t count)
{
    struct update piece = u->all;
    piece.parameters += first;
    piece.gradients += first;
    for (int i = 0; i < u->moments; i++)
        piece.moments[i] += first;
    piece.count = count;
    return piece;
}

struct optimizer {
    const char *name, *idea; /* one line, no full stop */
    int moments;             /* that it keeps of each parameter */
    /* What all parameters share is worked out once. NULL: nothing is. */
    void (*begin)(struct update *u);
    update_function *run[ISA_COUNT];
    /* The oracle; `found` are the moments after the update. */
    struct update_after (*expect)(const struct update *u, const struct update_before *before,
                                  const float *found);
};

extern const struct optimizer adam_optimizer, sgd_optimizer;
extern const struct optimizer *const optimizers[];
extern const int optimizer_count;

ISA_DECLARE(update_function, adam_update);
ISA_DECLARE(update_function, sgd_update);

/* Beta 1 and 2 and epsilon of Adam; the momentum of sgd. */
#define ADAM_BETA1   0.9
#define ADAM_BETA2   0.999
#define ADAM_EPSILON 1e-8
#define SGD_MOMENTUM 0.9

#endif
