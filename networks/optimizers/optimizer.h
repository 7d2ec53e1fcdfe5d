/* Optimizers, which update parameters from gradients. Each is one row, in its own file. */
#ifndef MAXPOOL_OPTIMIZER_H
#define MAXPOOL_OPTIMIZER_H

#include "kernels/isa.h"
#include "kernels/oracle.h"

#include <stdint.h>

enum { MOMENTS = 2 };

/* `count` parameters, their gradients, and the moments that the optimizer keeps of each; all
 * moments begin as 0. */
struct update {
    float *parameters;
    const float *gradients;
    float *moments[MOMENTS];
    int64_t count;
    double rate;           /* the learning rate */
    int64_t step;          /* 1 at the first update */
    float scales[MOMENTS]; /* what begin() computes from rate and step */
};

/* One parameter's values before an update. */
struct update_before {
    float parameter, gradient, moments[MOMENTS];
};

/* Correct values after it. That of the parameter is computed from the moments that the update
 * really stored. */
struct update_after {
    struct expectation parameter, moments[MOMENTS];
};

typedef void update_function(const struct update *u);

/* The update of a network, made in pieces: update_piece() gives that of any range of `all`. */
struct updating {
    struct update all;
    int moments; /* number of moments in `all` */
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
    int moments;             /* number of moments of each parameter */
    /* Computes once what all parameters share. NULL: nothing is shared. */
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
