/* The one table of the methods of the weight gradient, for all callers: the operator and tests. */
#ifndef MAXPOOL_CONV_WEIGHT_METHODS_H
#define MAXPOOL_CONV_WEIGHT_METHODS_H

#include "kernels/conv/gradients/gradient_oracle.h"
#include "kernels/methods.h"

struct conv_weight_gradient_method {
    struct method head; /* its functions call those below with the shape of the operation */
    conv_weight_gradient_function *run[ISA_COUNT]; /* NULL: not built for the instruction set */
    /* Scratch in bytes of one worker for calls of at most `filters` filters, aligned to 64; NULL:
     * none. SIZE_MAX: more than can be counted. */
    size_t (*scratch)(const struct conv_shape *s, int64_t filters);
    const char *(*refuses)(const struct conv_shape *s); /* NULL: it can compute every shape */
    /* The bound of a weight's distance from the oracle's sum; NULL: the oracle's own bound. */
    double (*bound)(const struct conv_gradient_operands *o, int64_t at, int64_t parts);
};

/* Every method, the baseline first. */
extern const struct conv_weight_gradient_method conv_weight_gradient_methods[];
extern const size_t conv_weight_gradient_method_count;

/* For the operator's table row. */
const struct method *conv_weight_gradient_method_at(size_t i);
bool conv_weight_gradient_is_built(const struct method *m, enum isa isa);

/* The table row of a method. */
const struct conv_weight_gradient_method *conv_weight_gradient_method_of(const struct method *head);

#endif
